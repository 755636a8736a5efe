# waits.pl CALL SECONDS COUNT: prints how late each wait ended, in ns.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

my ($call, $seconds, $count) = @ARGV;
pipe(my $idle, my $unused) or die "pipe: $!";
my $bits = '';
vec($bits, fileno($idle), 1) = 1;
my %wait = (
    select => sub { select(my $ready = $bits, undef, undef, $seconds) },
    usleep => sub { usleep($seconds * 1e6) },
);
my @late;
for (1 .. $count) {
    my $start = clock_gettime(CLOCK_MONOTONIC);
    $wait{$call}->();
    push @late, int((clock_gettime(CLOCK_MONOTONIC) - $start - $seconds) * 1e9);
}
print "$_\n" for @late;
