import { PAGE_MESSAGES } from '../../generated/errors';

const noResponse = 'The service did not respond. Check your connection and try again.';

/** The English messages of errors that can occur on a phone. */
export const errors = {
  codes: {
    ...PAGE_MESSAGES,
    unreachable: noResponse,
    timed_out: noResponse,
    connection_cut: noResponse,
    gateway_failed: noResponse,
    not_stored:
      'This phone can’t store anything for this page, so it stopped here. Free some space, or leave the private window, and try again.',
    not_registered:
      'This browser has no identity. If you registered in another browser or in the app on your home screen, open it there and press “Scan a code”. Otherwise ask the desk for a registration code.',
    registration_over: 'This registration has already ended. Check the identities on this phone.',
    not_this_service: 'Another program responded instead of the service. Check which network you are using.',
    circuit_not_pinned:
      'The service sent proving files that this page doesn’t know. They were not used, and no proof was sent. Reload the page and try again. If you see this again, contact the operator of the service.',
    malformed_payload: 'This is not a code for this phone. Scan the code of the desk or the computer.',
    invalid_request: 'The service can’t read what this phone sent. Reload the page and try again.',
    tenant_inactive: 'The company’s account is suspended. Ask your administrator.',
    rate_limit_exceeded: 'Too many attempts. Wait a moment and try again.',
    monthly_quota_exceeded: 'The company has used up its plan for this month. Ask your administrator.',
    chain_unavailable: 'The service can’t check proofs at the moment. Try again later.',
    service_unavailable: 'The service is temporarily unavailable. Try again in a moment.',
    internal_error: 'Something went wrong at the service. Try again in a moment.',
  },
  /** For a code that this page does not know. Newer services may return some. */
  unknown: (code: string) => `The service returned an error (${code}). Try again later.`,
  /** For an error of the browser. */
  unexpected: (message: string) =>
    `This did not work on this phone. Reload the page and try again. (${message})`,

  notUnlocked: 'The phone was not unlocked, so nothing was done. Try again and confirm with the screen lock.',
  notUnlockedOrDeleted:
    'The phone was not unlocked, so nothing was done. Try again and confirm with the screen lock. If the phone has no passkey for this page any more, it was deleted in the phone’s settings. Then this identity is lost: remove it here, and have the phone registered again.',
  noScreenLock: 'This phone’s screen lock can’t protect a secret for a web page, so nothing was done.',
  notInForce: (when: string) =>
    `This phone can be used from ${when}. Until then, use an earlier phone if one still works.`,
  noProvingFiles: 'The files for creating a proof could not be loaded. Go online and try again.',
  noProver: 'The prover did not start. Go online, reload the page and try again.',

  enrollsDevice: 'This code enrolls a device, not a person. Scan it on the device.',
  laterCode: 'This is a later code of a registration, which this page doesn’t need. Scan the first code.',
  addressWithoutCode: 'This address contains no code for a phone. Scan another one.',
  foreignAddress: (host: string, own: string) =>
    `This code leads to ${host}. This phone works only with ${own}. Nothing was sent. Do not open it.`,
  anotherService: 'another service',
  unknownCode:
    'This code is too old, or of a company where this phone is not registered. Have a new code shown and scan it. If it is the same again, do not approve anything: ask the desk to register this phone.',
  foreignService: (origin: string, own: string) =>
    `This code belongs to another service (${origin}). This phone is registered at ${own}. Do not approve it.`,
  foreignAccount:
    'This code belongs to another company. This phone is not registered there. Do not approve it.',
  foreignEnvironment: {
    live: 'This code is for testing, but this phone is registered for live use. Do not approve it.',
    test: 'This code is for live use, but this phone is registered for testing. Do not approve it.',
  },

  camera: {
    notAllowed:
      'This page may not use the camera. Allow it in the browser’s settings for this site and reopen this screen, or paste the code below.',
    none: 'This device has no camera. Paste the code below.',
    unsuitable: 'This device has no suitable camera. Paste the code below.',
    busy: 'Another program is using the camera. Close it and reopen this screen, or paste the code below.',
    unavailable:
      'The camera is not available on this page. It may need https or another browser. Paste the code below.',
  },
};

export type Errors = typeof errors;
