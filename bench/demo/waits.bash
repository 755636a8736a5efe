# waits.bash SECONDS COUNT: prints how late each `read -t` ended, in ns (bash's clock shows us).
exec 3<> <(:)
asked=$(printf '%.0f' "${1}e6")
for ((i = 0; i < $2; i++)); do
    start=${EPOCHREALTIME/[.,]/}
    read -r -t "$1" -u 3 _
    echo "$(((${EPOCHREALTIME/[.,]/} - start - asked) * 1000))"
done
