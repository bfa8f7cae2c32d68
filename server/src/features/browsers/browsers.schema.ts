import Type from 'typebox';
import { browserKey, ids } from '../../model/example-fixtures.js';
import {
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

/** 32 bytes in base64url: the bits that are left over are 0, so that a key has one form. */
const Coordinate = (example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
    description: '32 bytes in base64url',
    examples: [example],
  });

/** The public key of a browser, without any other member. */
export const BrowserJwk = strictObject(
  {
    kty: withExample('EC', Type.Enum(['EC'])),
    crv: withExample('P-256', Type.Enum(['P-256'])),
    x: Coordinate(browserKey.x),
    y: Coordinate(browserKey.y),
  },
  'BrowserKey',
);

export const BrowserSignature = Type.String({
  pattern: '^[A-Za-z0-9_-]{85}[AQgw]$',
  description: 'ECDSA P-256 with SHA-256: r and s, 64 bytes in base64url, as WebCrypto makes it',
  examples: [browserKey.signature],
});

const Browser = strictObject(
  {
    id: uuid(ids.browser),
    browser: Nullable(exampleText('Firefox', 'What the browser says it is.')),
    system: Nullable(exampleText('Windows')),
    how: Type.Enum(['nearby', 'same_device'], {
      description: 'What made it known: the phone was beside it, or it ran on the phone.',
      examples: ['nearby'],
    }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
  },
  'KnownBrowser',
);
export const BrowserList = strictObject({ browsers: Type.Array(Browser) });
export const BrowserReply = strictObject({ browser: Browser });

export const ForgetBody = strictObject(
  {
    tenantId: uuid(ids.tenant),
    environment: Environment,
    browser: strictObject({ jwk: BrowserJwk, signature: BrowserSignature }),
  },
  'ForgetThisBrowserParams',
);
export const ForgetReply = strictObject({
  forgotten: Type.Integer({
    minimum: 0,
    description: 'Of how many people. 0 if the browser was known to nobody.',
    examples: [1],
  }),
});
