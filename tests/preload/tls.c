/* Takes of the little room for libraries with thread-local storage that come late. */
static __thread char used[48] __attribute__((tls_model("initial-exec")));

int tls_use(void)
{
    used[47]++;
    return used[47];
}
