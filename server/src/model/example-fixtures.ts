/**
 * The data of the document's examples, consistent with each other: on one day in May, Example AG enrolls a device and
 * registers Ada Lovelace, who then verifies herself. All of it is invented, and no secret in it is valid.
 */
export const ids = {
  tenant: '019db486-65c0-785d-839b-c57d73f54993',
  apiKey: '019db9ac-c1c0-77e1-9d1d-eeea276d3bf6',
  device: '019dbed3-1dc0-70e0-a4d6-a40aa11c95bf',
  phone: '019dc3f9-79c0-75bd-b7f1-98c8923494fe',
  user: '019dc91f-d5c0-794b-8452-a6702a7266af',
  verification: '019dce46-31c0-7407-9d5d-b6423a3d6104',
  attendance: '019dd36c-8dc0-7725-a7a9-d011bf6e6f9a',
  site: '019db9f1-2bc0-7d43-9e5a-6c1f8b3d7a20',
  correction: '019dd471-5fc0-7b28-8c3e-4d9a1f6b2e75',
  mark: '019dd4b2-91c0-7e64-a7d1-5f3c9b8e2a16',
  inspection: '019dd4c9-17c0-7a35-b8e2-3d6f9c1a5b47',
  anchor: '019dda4b-7ec0-7c64-9f21-6b3d8e5a0c47',
  auditEvent: '019dd892-e9c0-7bf7-bbcb-7cd71baf07fa',
  registration: '019dddb9-45c0-79a8-8770-b6b101f48800',
  pairing: '019de2df-a1c0-7eb1-97eb-cabf9a007e29',
  session: '019de805-fdc0-7632-a63b-96b1e6161ec6',
  lead: '019ded2c-59c0-7316-b26a-9736bb95980a',
  addition: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28',
  identity: '019dcb00-8fc0-7a1d-9e53-4c0f6be1a977',
  webhook: '019df778-11c0-7b52-b0a4-5e1c7f3a9d28',
  delivery: '019dfc9d-6dc0-7d16-8f0e-2c9b4a6d1e73',
  oidcClient: '019e01c2-c9c0-7d34-9a6e-3f8b5c1d7e42',
  member: '019db5a1-8fc0-7c11-9d3e-5b7f2c8a4e60',
  loginSession: '019db6c3-1fc0-7a42-8b5d-9e1f3c7a6d28',
  passkey: '019db7e5-3fc0-7d21-a46c-2e8b5f9c1a70',
  browser: '019dfd2a-4bc0-7c58-8a3e-1f6d9b5c2e70',
  approval: '019dfe41-2bc0-7a63-9c1d-5e8f2b7a4d16',
  attestationKey: '019dcd24-7bc0-7e52-8a1f-3d6c9b5e2f81',
  request: '019df252-b5c0-7900-861e-05527c358de8',
  proofNonce: 'e85f2557-f16a-4e0c-986a-e071ae3f975c',
} as const;

/** The times of that day. */
export const times = {
  begun: '2026-05-12T09:30:00.000Z',
  done: '2026-05-12T09:31:20.000Z',
  in5Minutes: '2026-05-12T09:35:00.000Z',
  in15Minutes: '2026-05-12T09:45:00.000Z',
  in30Minutes: '2026-05-12T10:00:00.000Z',
  nextYear: '2027-05-12T00:00:00.000Z',
} as const;

/** The public key of a browser, and a signature of it. */
export const browserKey = {
  x: 'PBIwVwZ-0DqD4np3Pp068RQSx01i5miixjxAu41L4Tc',
  y: 'a75USh6lgvwrotvYh4O-4UchxFGTSAYYK9CVlcUkxBk',
  signature: 'cGWGpRMfYEwP0_y-yRQscJm5kdNJmFCptjIZ9bfzaw_u-X8BwUMCE6vxI1GnggCglsJphoZQBWpec_ibpNPH_w',
} as const;

export const did = 'did:svc:1deb521650a97a7964d14e6e8c9d1296e627798138b055ee9cb1a45d880c45f7';
export const didHash = '0cc07f1dfa2a5f2bd9ab4e1f0fd8a30bd7ba0fa61c7bbd5a7f02f2e6c5a1e9a5';
export const commitment = '26fa08ee7473179054d52dc3ce255c1d66c2dcb36897cd63dae2ef56290b7cdb';

/** Of a second phone, or of a new secret. */
export const newDid = 'did:svc:0cb1e29c658cda1495e60af593bd04cf0fd630f1f29d0da9953f48f1a09f76b5';
export const newCommitment = '0dbd9d7381e74ef5e8e25d940ed904759531985d5d9dc9f81818e811892f902b';
export const newPublicSignals = [
  '6215087815076330926179520016461010917137519558660815034878824735059242618923',
  '15951728188012883138265176510482648277956245750475693862477712774865526280408',
  '18255373109897049727130802781095089727510501583111313296332426910213270751782',
] as const;

/** The first is `commitment` as a decimal number, as the contract requires of every proof. */
export const publicSignals = [
  '17629661655060371902078091730818242263873793652850864266944200471089913756891',
  '5767915099554299835328768457838573094446884592995324133010984442461468578293',
  '14605193793589442647174633263483521946531375041408897579367512817966258777913',
];

export const proof = {
  pi_a: [
    '14787738582130411659971782425006529272793673067072735839534953632411909006893',
    '14780024244244818996971715917211119835736221435901908296276389259810207075938',
    '1',
  ],
  pi_b: [
    [
      '14275410535315113903616761989801258975935230987551244108458113611778044462048',
      '17532253171216386177498838312330086144927571426545942907659912185918690356093',
    ],
    [
      '13234747350252280002061530146069322429507972355302341261594548099507378221180',
      '12804756551321730133193839145107338451033334949571581498934918093478059387435',
    ],
    ['1', '0'],
  ],
  pi_c: [
    '13272421444290307575442183515285813192832289531809459081451274472913897721361',
    '5767915099554299835328768457838573094446884592995324133010984442461468578293',
    '1',
  ],
  protocol: 'groth16',
  curve: 'bn128',
} as const;

export const hash = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
export const earlierHash = '0b9c2625dc21ef05f6ad4ddf47c5f203837aa32ccf4a6c6d5a1e0d5a1b1ccd19';
/** 31 bytes, of the pairing session. */
export const pairingNonce = 'c144eff540aeb6cfdf0330c2acc15190335a885cf18fa1803229f1183c03b7';
/** The last two fields of a moving code. */
export const slot = 177_853_220;
export const slotMac = 'u1X0cT7m-4fJvQ2b';
/** 16 bytes, of the ceremony. */
export const challengeNonce = '9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d';

/** Values that are opaque to clients, in their real form. */
export const secrets = {
  apiKey: 'svc_live_d1d1dfc2914ee1ccf92799b1bccc7d8df379e77a3711ebb8',
  apiKeyPrefix: 'svc_live_d1d1dfc',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJzZXNzaW9uIn0.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  attestationChallenge: 'AAABnhuHmMB7Ig1qQ0bq5oFkXo2vYkTxU3rKcD8sZl5nJw4hPzQ9eGtRVb0m6iya',
  inboxToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJpbmJveCJ9.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  staffToken: 'svc_staff_eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJzdGFmZiJ9.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  deviceToken: 'svc_device_eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJkZXZpY2UifQ.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  inspectionToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJpbnNwZWN0aW9uIn0.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  inspectionLink: 'AAGdtIZlwHhdg5vFfXP1SZNUm0V7cLq2YhRk4oNw9JtEx6uMzSb1aGd',
  passwordReset: 'Jw3nE8cVb0yKqT5rXo1sLhPzU6aGdM9fNi2RtYv7kSA',
  invitation: 'q5Yd8mJ0tRz3vXkN7wLbPcGhSf2uA9eToQ1iMxZ4rVs',
  consoleToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJjb25zb2xlIn0.c2lnbmF0dXJlLW9mLWFuLWV4YW1wbGU',
  scanTicket: '1778578320.Zk3v9Qm1bT0xY7Lw',
  refreshToken: 'C2kfJIUQgTcfvxIHLhl1svPIASYJrT2zUQ669JyK4zg',
  biometricSecret: '00f3a1c9d27b4e8860517fd2ab93c64e1d08a7b5c2f94e6310bd87a5e4c29f61',
  salt: '0091b7e4a25cd38f6041fe7bc8d2906a35be17f4c8da6092b3fe51d7a0c48e27',
  enrolmentSalt: '6b4cb2424a23d5962217beaddbc496cb8e81973e0becd7b03898d190f9ebdacc',
  /** Of an anchored record, as the contract accepts it. */
  anchorSalt: '0x5be1d47f02c9a6381e7fd0934c6ab258ef17c4903d86b2a5170e9fc83d64a1b7',
  state: 'q0Vd3mXw1oJ9s8nC2rY5tLkEhUa7bZfGiP4xN6cD0eM',
  webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQx7vT3bYc9E=',
  oidcClientSecret: 'mC8vQm1bT0xY7LwZk3pJ9s8nC2rY5tLkEhUa7bZfGiP',
  cursor: 'MDE5ZGJlZDMtMWRjMC03MGUwLWE0ZDYtYTQwYWExMWM5NWJm',
  password: 'nine lamps over a quiet harbour 9',
  newPassword: 'seven boats under a clear morning 7',
} as const;

export const code = 'SV-7K2M-Q9XH';
export const fingerprint = 'a4:5e:60:d8:1f:33:9c:02:77:b1:4d:e9';

/** Of a device with a key of its own, in base64url. */
export const deviceKey = {
  x: 'axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY',
  y: 'T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
  thumbprint: 'xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M',
  signature: 'm3Vd0kQxw1oJ9s8nC2rY5tLkEhUa7bZfGiP4xN6cD0eMq0Vd3mXw1oJ9s8nC2rY5tLkEhUa7bZfGiP4xN6cD0A',
  jti: 'u1X0cT7m4fJvQ2bK9pLr3w',
} as const;

/** Of a passkey, in base64url. */
export const passkeys = {
  credentialId: 'LWmvkrb8iwFgyJUpnPkEdw-wQhD0dtyNkJDiHzvTqtA',
  challenge: 'mQ3vX8bT0xY7LwZk3pJ9s8nC2rY5tLkEhUa7bZfGiP0',
  userHandle: 'AZ21oY_AfBGdPlt_LIpOYA',
  clientData:
    'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoibVEzdlg4YlQweFk3THdaazNwSjlzOG5DMnJZNXRMa0VoVWE3YlpmR2lQMCIsIm9yaWdpbiI6Imh0dHBzOi8vaWQuZXhhbXBsZS5jb20iLCJjcm9zc09yaWdpbiI6ZmFsc2V9',
  authenticatorData: 'JlkQTsAKdriMqE84HF0LUSqgiRqfQADxZkQh8fexppkdAAAAAA',
  signature:
    'MEUCIHyxmhzDsQ7N9xr0BUFfLK0RV5G9NVhW_u_AjISxZkMlAiEAtNRBSyhh_v4wj0pDAwIxRNEAG6hSJ0VigE5CjNBWFTc',
  attestation:
    'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikJlkQTsAKdriMqE84HF0LUSqgiRqfQADxZkQh8fexppldAAAAAAAAAAAAAAAAAAAAAAAAAAAAIC1pr5K2_IsBYMiVKZz5BHcPsEIQ9HbcjZCQ4h8706rQpQECAyYgASFYIDfNnm3l-NOpcAk6SF1KuxZEzeTIAsDYsQ0yMSagqNXdIlggbj8Xf9ft2eVGaXxEOxagKpxB8h3Y0MD07HyKXZN5aPQ',
  publicKey:
    'pQECAyYgASFYIDfNnm3l-NOpcAk6SF1KuxZEzeTIAsDYsQ0yMSagqNXdIlggbj8Xf9ft2eVGaXxEOxagKpxB8h3Y0MD07HyKXZN5aPQ',
} as const;
