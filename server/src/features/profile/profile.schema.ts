import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { count, exampleText, flag, Nullable, strictObject, Text, withExample } from '../../records/schema.js';

/** 32 KiB in base64. */
const MAX_LOGO_LENGTH = 43_692;

/** A transparent pixel, as an example of a logo. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const LogoUrl = exampleText(
  `/logos/${ids.tenant}/5b2e3c0a-9d41-8f6e-8c77-0d1f5a2b9e64`,
  'Relative to this server. Another logo has another URL.',
);
const Color = withExample(
  '#0a6c56',
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'a color as #rrggbb' }),
);

export const AccentColor = exampleText('#0a6c56');
export const LogoUrlOrNull = Nullable(LogoUrl);

const looks = {
  name: exampleText('Example AG'),
  accentColor: AccentColor,
  logo: Nullable(strictObject({ url: LogoUrl, bytes: count(1210) }, 'Logo')),
};
/** Of the account. */
export const CompanyProfileReply = strictObject({ profile: strictObject(looks, 'CompanyProfile') });
/** For a device or an API key, which has an environment. */
export const ProfileReply = strictObject({
  profile: strictObject(
    {
      ...looks,
      hasSites: flag(true, 'Whether this environment has a site, so that people clock in and out.'),
    },
    'Profile',
  ),
});

const UpdateParams = {
  name: Type.Optional(withExample('Example AG', Text(200))),
  accentColor: Type.Optional(Color),
  logo: Type.Optional(
    Nullable(
      withExample(
        PIXEL,
        Type.String({
          minLength: 1,
          maxLength: MAX_LOGO_LENGTH,
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          description: 'base64 of a PNG or WebP image of at most 32 KiB and 1024 × 1024 pixels',
        }),
      ),
    ),
  ),
};

export const ProfileBody = Type.Object(UpdateParams, {
  additionalProperties: false,
  title: 'ProfileUpdateParams',
  minProperties: 1,
});

export const ProductReply = strictObject({
  product: strictObject({
    name: exampleText('Identity'),
    logo: Nullable(
      strictObject({ url: exampleText('/product-logo/5b2e3c0a-9d41-8f6e-8c77-0d1f5a2b9e64') }, 'ProductLogo'),
    ),
  }),
});
