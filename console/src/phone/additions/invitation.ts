import { type Invitation as Invited, invite, type Watch } from '@svc/sdk/phone';
import { phoneWith, type ThisPhone } from '../ports/ports';
import { SERVICE } from '../service';
import type { Identity } from '../vault/identities';
import type { SealedSecret } from '../vault/sealed';

/** An addition that this phone has opened. It keeps the unlocked phone, so that the person unlocks it once for the whole addition. */
export interface Invitation extends Invited<SealedSecret> {
  readonly phone: ThisPhone;
}

/** The address that the new phone's camera opens. */
export const addressOf = (code: string): string => `${SERVICE}/phone/#add=${encodeURIComponent(code)}`;

/** Opens an addition, which gives the code for the new phone. */
export async function openInvitation({ id }: Identity, watch: Watch): Promise<Invitation> {
  const phone = phoneWith();
  return { ...(await invite(phone, id, watch)), phone };
}
