const NUMBER = /^\d{2}$/;

/** What the history entry of a new approval keeps, because the service returns the number only once. It survives a reload. */
export interface CreatedState {
  readonly matchCode?: string;
}

export function readMatchCode(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('matchCode' in state)) return undefined;
  const { matchCode } = state;
  return typeof matchCode === 'string' && NUMBER.test(matchCode) ? matchCode : undefined;
}
