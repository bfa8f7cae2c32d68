/** What a tenant may hear of a request that failed. */
export type OutboundError = 'dns' | 'connect' | 'tls' | 'timeout' | 'too_large';

/** Why a request failed. The message is for the operator's log only. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  readonly kind: OutboundError;
  constructor(kind: OutboundError, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
