import type { PairingCode } from '@svc/sdk';
import { svc } from '../service';
import { type HistoryEntry, hasApproved } from '../vault/history';
import type { Approvable } from './approvable';

type Reply = Awaited<ReturnType<typeof svc.phone.pairing.context>>;

/** Who asks for a sign-in, as the service describes it. */
export type Context = Reply['context'];

export interface Asked {
  readonly context: Context;
  /** Shows that the code was fresh when it was scanned. */
  readonly scanTicket: string;
  /** The service's time when it said so, in Unix milliseconds. */
  readonly readAt: number;
}

export async function readAsked(code: PairingCode, signal: AbortSignal): Promise<Asked> {
  const reply = await svc.phone.pairing.context(code, { signal });
  return { ...reply, readAt: svc.serverNow() };
}

/** Who asks, if the service already said so with the code. */
export const alreadyAsked = ({ asked, askedAt }: Approvable): Asked | undefined =>
  asked && { ...asked, readAt: askedAt };

/** How long the service accepts a scan ticket, less the time that a proof and its request take. */
const DECISION_MS = 110_000;

/** Until when the person can approve: a code that moves must be scanned again when its ticket expires. */
export const decideUntil = (code: PairingCode, { readAt }: Asked): string =>
  new Date(
    Math.min(code.expiresAtSeconds * 1000, code.scan ? readAt + DECISION_MS : Number.POSITIVE_INFINITY),
  ).toISOString();

export type Warning = 'otherNetwork' | 'firstTime' | 'openedLongAgo';

const LONG_AGO_MS = 120_000;

/** What makes a sign-in look as if somebody else started it. None of it proves that. */
export function warningsAbout(
  code: Pick<PairingCode, 'tenantId' | 'environment'>,
  { context, readAt }: Pick<Asked, 'context' | 'readAt'>,
  approvals: readonly HistoryEntry[],
): Warning[] {
  const { sameNetwork, origin, openedAt } = context;
  return [
    ...(sameNetwork === false ? (['otherNetwork'] as const) : []),
    ...(origin !== null && !hasApproved(approvals, code, origin) ? (['firstTime'] as const) : []),
    ...(readAt - Date.parse(openedAt) > LONG_AGO_MS ? (['openedLongAgo'] as const) : []),
  ];
}
