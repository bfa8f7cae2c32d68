/** What a command ends with: docs/cli.md is the page for scripts that read it. */
export const EXIT = {
  done: 0,
  /** The service refused, or what was checked does not hold. */
  refused: 1,
  /** The command or a setting cannot be understood; nothing was sent. */
  usage: 2,
  /** No service was reached, or another one, or another version of it. */
  unreachable: 3,
  /** The key, token or account is not let in. */
  credential: 4,
  /** A limit is spent or the service is briefly away: the same command later may pass. */
  later: 5,
  /** A fault of ours. */
  internal: 70,
} as const;

export type FailureKind = Exclude<keyof typeof EXIT, 'done'>;

/** What is known of a refusal by the service. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly requestId: string | undefined;
}

/** A command that cannot go on. The message names the cause and the next step; nobody is shown a stack. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly kind: FailureKind;
  readonly refusal: Refusal | undefined;
  constructor(kind: FailureKind, message: string, refusal?: Refusal) {
    super(message);
    this.kind = kind;
    this.refusal = refusal;
  }
}

/** The command as given cannot be understood. */
export class UsageError extends Failure {
  override readonly name = 'UsageError';
  constructor(message: string) {
    super('usage', message);
  }
}
