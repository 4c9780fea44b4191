// What openblas_get_parallel of the build with threads of its own says.
int openblas_get_parallel(void) { return 1; }
char *openblas_get_config(void) { return (char *)"OpenBLAS 0.3.21 "; }
int openblas_get_num_threads(void) { return 1; }
void openblas_set_num_threads(int threads) { (void)threads; }
void cblas_sgemm(void) {}
void cblas_sgemv(void) {}
