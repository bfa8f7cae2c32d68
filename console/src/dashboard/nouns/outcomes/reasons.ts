import { failureIn } from './failures';
import type { ReasonCount } from './use-outcomes';

/** Why verifications failed, in words. */
export interface Reason {
  /** In words: that of the service, or the account's own text. */
  readonly name: string;
  /** As the list is filtered by it. Undefined if the records have none. */
  readonly reason: string | undefined;
  readonly count: number;
}

/**
 * The reasons in words, the most frequent first. Records of several methods can have one reason. A record of the account can have the text
 * of one of the service's codes, which then stays as it is.
 */
export function reasonsOf(counts: readonly ReasonCount[]): readonly Reason[] {
  const byName = new Map<string, Reason>();
  for (const { method, reason, count } of counts) {
    const name = failureIn({ method, result: 'fail', reason })?.name ?? reason ?? 'No reason recorded';
    const before = byName.get(name)?.count ?? 0;
    byName.set(name, { name, reason: reason ?? undefined, count: before + count });
  }
  return [...byName.values()].sort((left, right) => right.count - left.count);
}
