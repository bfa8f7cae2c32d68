/** The boot checks of a verification key, by the short names used in logs and tests. */
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

/** This build doesn't trust the key on disk, so the process must not start. The message says what to do. */
export class PinnedKeyError extends Error {
  readonly check: PinnedKeyCheck;

  constructor(check: PinnedKeyCheck, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PinnedKeyError';
    this.check = check;
  }
}
