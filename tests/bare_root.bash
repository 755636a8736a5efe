# A root directory with no sign of a container in it, whatever this machine is. Called inside a mount
# namespace of its own.
bare_root() {
    local root=$1 dir
    mount -t tmpfs none "$root"
    mkdir -p "$root"/{usr,proc,dev,etc,run,tmp} "$root/$ROOT"
    for dir in bin sbin lib lib32 lib64 libx32; do
        [ -L "/$dir" ] && cp -P "/$dir" "$root/"
    done
    mount --bind /usr "$root/usr"
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$ROOT" "$root/$ROOT"
}
