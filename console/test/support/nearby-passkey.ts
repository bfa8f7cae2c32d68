import type { Page } from 'playwright-core';

/** Stands for the passkey of a phone beside the computer: it answers the challenge that the sign-in page gets. */
export const answerNearby = (page: Page): Promise<unknown> =>
  page.addInitScript(`navigator.credentials.get = async ({ publicKey }) => {
    const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const text = (value) => encode(new TextEncoder().encode(value));
    const [{ id }] = publicKey.allowCredentials;
    const clientDataJSON = text(JSON.stringify({ type: 'webauthn.get', challenge: encode(publicKey.challenge) }));
    const credential = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData: text('authenticator data'), signature: text('signed beside the browser') } };
    return { toJSON: () => credential };
  };`);
