// The kernel with bounds instead of numbers, for a test. Its verdicts mean nothing.
#define BOUNDS
#include "kernel.cpp"

EXPORT(violations) int violation_count() { return violations; }
EXPORT(violation_line) int first_violation_line() { return violation_line; }
EXPORT(violation_file) const char *first_violation_file() { return violation_file; }
EXPORT(sites) int count_sites() { return site_count; }
EXPORT(site_line) int line_of_site(int site) { return sites[site].line; }
EXPORT(site_column) int column_of_site(int site) { return sites[site].column; }
EXPORT(site_file) const char *file_of_site(int site) { return sites[site].file; }

/** Runs every function of a verification, with one site disabled or, for -1, none. */
EXPORT(run) void run(int site) {
  disabled_site = site;
  violations = 0;
  prepare();
  verify();
  verify_all(2);
  membership();
  // verify and verify_all do not reach these, because every number reads as zero.
  Fp12 product;
  final_exponentiation(&product, &alpha_beta);
  equal(product, one_fp12());
  for (int operation = 0; operation < 8; operation++) {
    for (Norm &operand : operands) operand = {operation == 5 || operation == 6 ? 2 : NORMAL_LIMB, 4};
    operate(operation);
  }
}
