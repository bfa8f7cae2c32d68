import { type Registration, registrationsIn } from '@svc/sdk/phone';
import type { SealedSecret } from '../vault/sealed';
import { vault } from '../vault/vault';

/** A registration in progress, as this phone stores it. */
export type Ceremony = Registration<SealedSecret>;

export const CEREMONIES = ['ceremonies'] as const;

export const readCeremonies = async (): Promise<Ceremony[]> => registrationsIn(await vault.read());
