import Type from 'typebox';
import { secrets } from '../../../model/example-fixtures.js';
import { exampleText, strictObject, withExample } from '../../../records/schema.js';

export const LoginReply = strictObject({
  redirectUrl: exampleText(
    `https://id.example.com/saml/sso?SAMLRequest=fZJNTwIxEIb&RelayState=${secrets.state}`,
    'Send the browser there.',
  ),
  relayState: exampleText(secrets.state, 'Comes back with the answer; good once, for 10 minutes.'),
});
export const CallbackBody = strictObject(
  {
    SAMLResponse: Type.String({
      minLength: 1,
      maxLength: 65_536,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'base64, unchanged from what the browser received',
      examples: [
        'PHNhbWxwOlJlc3BvbnNlIHhtbG5zOnNhbWxwPSJ1cm46b2FzaXM6bmFtZXM6dGM6U0FNTDoyLjA6cHJvdG9jb2wiLz4=',
      ],
    }),
    RelayState: withExample(secrets.state, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'SamlLoginCompleteParams',
);

export const METADATA_EXAMPLE = `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://api.example.com/v1/auth/saml/metadata">
  <SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
      Location="https://api.example.com/v1/auth/saml/callback"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
