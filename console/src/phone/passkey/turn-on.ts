import { canAttest } from '@svc/sdk/phone';
import type { Identity } from '../vault/identities';

/** Whether a passkey can be turned on for this identity. */
export const canTurnOn = (identity: Identity): boolean =>
  identity.attestationKeyId === undefined && canAttest(identity);
