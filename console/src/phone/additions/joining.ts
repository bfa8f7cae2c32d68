import { type Joined as JoinedPhone, join, unfinishedJoinings, type Watch } from '@svc/sdk/phone';
import { phoneWith, type ThisPhone } from '../ports/ports';
import type { ProtectionKind, SealedSecret } from '../vault/sealed';

export type Joining = JoinedPhone<SealedSecret>;

/** A phone that has joined, with its secret unlocked. */
export interface Joined {
  readonly phone: ThisPhone;
  readonly joining: Joining;
}

export const JOININGS = ['joinings'] as const;

export async function joinWith(code: string, wanted: ProtectionKind, watch: Watch): Promise<Joined> {
  const phone = phoneWith(wanted);
  return { phone, joining: await join(phone, code, watch) };
}

export const readUnfinished = (): Promise<Joining[]> => unfinishedJoinings(phoneWith());

/** The addition again, with its secret unlocked. @throws NotUnlocked */
export async function resume(joining: Joining): Promise<Joined> {
  const phone = phoneWith();
  await phone.unlock(joining);
  return { phone, joining };
}

/** Two groups of three digits, as they are read aloud. */
export const grouped = (digits: string): string => `${digits.slice(0, 3)} ${digits.slice(3)}`;
