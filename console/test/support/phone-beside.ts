import type { Page } from 'playwright-core';

/** A passkey in the form of the DevTools protocol: binary values in base64. */
interface Credential {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly userHandle?: string;
  readonly signCount: number;
}

/**
 * A phone comes near the computer: its passkey can be used on this page by hybrid transport. Only once for each person, because the copy
 * counts on by itself. Without a passkey, no phone is near.
 */
export async function putBeside(page: Page, passkey?: Credential): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'hybrid',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (passkey !== undefined)
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: passkey });
}
