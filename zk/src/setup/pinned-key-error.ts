/** The boot checks of a verification key, by the short name that logs and tests use. */
export type PinnedKeyCheck =
  | 'missing'
  | 'manifest'
  | 'sha256'
  | 'artifact'
  | 'circuit_version'
  | 'format'
  | 'ic_count'
  | 'ic_infinity'
  | 'g1_curve'
  | 'g2_curve'
  | 'g2_subgroup'
  | 'gamma_delta'
  | 'delta_generator';

/** The key on disk is not one this build trusts: the process must not start. The message says what to do. */
export class PinnedKeyError extends Error {
  readonly check: PinnedKeyCheck;

  constructor(check: PinnedKeyCheck, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PinnedKeyError';
    this.check = check;
  }
}
