import { choicesOf } from '../nouns/policy/policy';
import { hours } from '../nouns/policy/policy-labels';
import { usePolicy } from '../nouns/policy/use-policy';
import { useOperation } from '../operations/operation';

const LIMIT = 20;

/** What a registration of this person means under the account's policy. */
export function WhatFollows({
  userId,
  lost,
}: {
  readonly userId: string;
  /** The DID of the phone that is about to be revoked. */
  readonly lost?: string;
}) {
  const policy = usePolicy().data?.policy;
  const phones = useOperation('listUserIdentities', { path: { userId }, query: { limit: LIMIT } }).data
    ?.identities;
  if (policy === undefined || phones === undefined) return <p>The person scans a code with the phone.</p>;
  const { protect, recoveryHours, twoPerson } = choicesOf(policy);
  if (!protect || phones.length === 0)
    return <p>The person scans a code with the phone. After a minute, they can sign in with it.</p>;
  const hasAnother = phones.some(({ did, revokedAt }) => revokedAt === null && did !== lost);
  return (
    <>
      <p>
        The person scans a code with the new phone. It{' '}
        {recoveryHours === 0 ? 'takes over immediately' : `takes over after ${hours(recoveryHours)}`}, and all
        earlier phones are revoked.{' '}
        {recoveryHours > 0 &&
          (lost !== undefined && !hasAnother
            ? 'Until then, the person can’t sign in, and you can stop it.'
            : 'Until then, the person can object, and you can stop it.')}
        {twoPerson && ' It also waits until an owner other than the one who started it confirms it.'}
      </p>
      {hasAnother && (
        <p>
          <strong>Does another phone of this person work?</strong> Then they needn’t wait: they choose “Add
          another phone” on it, and keep both.
        </p>
      )}
    </>
  );
}
