import { checkAuthorization, discoveryDocument, grantCode, keySet } from '@svc/demo-idp/oidc';
import { createPages, pagePolicy } from '@svc/demo-idp/pages';
import { issueAssertion, metadataXml, readRequest } from '@svc/demo-idp/saml';
import { open, route } from '../../../http/route.js';
import { providerOf, rejectInvalid, whenSimulated } from './demo-idp.js';
import * as schema from './demo-idp.schema.js';

const { choosePage, postPage } = createPages('/docs/plain.css');
const HTML = 'text/html; charset=utf-8';
const limit = { name: 'demo-idp', max: 60, windowSeconds: 60 } as const;

/** The simulated provider's pages and documents. Its token endpoint is reachable only inside the process. */
export const demoIdpPublic = [
  route({
    operationId: 'demoIdpStartSamlLogin',
    method: 'GET',
    path: '/demo/idp/saml/sso',
    summary: 'Simulated identity provider: SAML sign-on as any user',
    examples: { 200: choosePage('/demo/idp/saml/sso', {}) },
    auth: open,
    limit,
    when: whenSimulated,
    schemas: { query: schema.SsoQuery },
    replies: { 200: HTML },
    async handler({ deps, query, setHeader }) {
      setHeader('cache-control', 'no-store');
      setHeader('content-security-policy', pagePolicy(deps.config.samlAcsUrl));
      const provider = providerOf(deps);
      const { subject, ...request } = query;
      if (subject === undefined) {
        await rejectInvalid(() => readRequest(provider, query.SAMLRequest));
        return choosePage('/demo/idp/saml/sso', request);
      }
      const { acsUrl, response } = await rejectInvalid(() =>
        issueAssertion(provider, query.SAMLRequest, subject),
      );
      return postPage(acsUrl, { SAMLResponse: response, RelayState: query.RelayState });
    },
  }),
  route({
    operationId: 'demoIdpGetSamlMetadata',
    method: 'GET',
    path: '/demo/idp/saml/metadata',
    summary: 'Simulated identity provider: SAML metadata',
    auth: open,
    limit,
    when: whenSimulated,
    replies: { 200: 'application/xml; charset=utf-8' },
    handler: ({ deps }) => metadataXml(providerOf(deps)),
  }),
  route({
    operationId: 'demoIdpStartOidcLogin',
    method: 'GET',
    path: '/demo/idp/oidc/authorize',
    summary: 'Simulated identity provider: OIDC sign-on as any user',
    auth: open,
    limit,
    when: whenSimulated,
    schemas: { query: schema.AuthorizeQuery },
    replies: { 200: HTML, 302: HTML },
    examples: { 200: choosePage('/demo/idp/oidc/authorize', {}), 302: '' },
    replyHeaders: { Location: schema.LOCATION },
    async handler({ deps, query, setHeader, setStatus }) {
      setHeader('cache-control', 'no-store');
      setHeader('content-security-policy', pagePolicy(deps.config.oidcRedirectUri));
      const provider = providerOf(deps);
      const { subject, ...request } = query;
      if (subject === undefined) {
        await rejectInvalid(() => checkAuthorization(provider, query));
        return choosePage('/demo/idp/oidc/authorize', request);
      }
      setHeader('location', await rejectInvalid(() => grantCode(provider, query, subject)));
      setStatus(302);
      return '';
    },
  }),
  route({
    operationId: 'demoIdpGetOidcConfiguration',
    method: 'GET',
    path: '/demo/idp/.well-known/openid-configuration',
    summary: 'Simulated identity provider: OIDC discovery',
    auth: open,
    limit,
    when: whenSimulated,
    replies: { 200: schema.DiscoveryReply },
    database: false,
    handler: async ({ deps }) => discoveryDocument(providerOf(deps).settings),
  }),
  route({
    operationId: 'demoIdpGetOidcKeys',
    method: 'GET',
    path: '/demo/idp/oidc/jwks',
    summary: 'Simulated identity provider: the keys that verify ID tokens',
    auth: open,
    limit,
    when: whenSimulated,
    replies: { 200: schema.KeySetReply },
    handler: ({ deps }) => keySet(providerOf(deps)),
  }),
];
