# Median lateness of select against what was asked; data and picture are set by the caller.
set terminal pngcairo size 1000,600 font "DejaVu Sans,11"
set output picture
set title "select(): how late it returns"
set xlabel "asked for (us)"
set ylabel "median lateness (us)"
set logscale y
set yrange [0.01:*]
set grid
set key outside below horizontal
plot data using 1:2 with linespoints pt 7 ps 0.5 title "native", \
     data using 1:3 with linespoints pt 7 ps 0.5 title "timer", \
     data using 1:4 with linespoints pt 7 ps 0.5 title "exact"
