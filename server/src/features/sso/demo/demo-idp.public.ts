import { open, route } from '../../../http/route.js';
import { whenSimulated } from './demo-idp.js';
import * as schema from './demo-idp.schema.js';
import { loadSimulated } from './load.js';

const HTML = 'text/html; charset=utf-8';
/** Its pages in examples. */
const PAGE = '<!doctype html><title>Simulated identity provider</title>';
const limit = { name: 'demo-idp', max: 60, windowSeconds: 60 } as const;

/** The simulated provider's pages and documents. Its token endpoint is reachable only inside the process. */
export const demoIdpPublic = [
  route({
    operationId: 'demoIdpStartSamlLogin',
    method: 'GET',
    path: '/demo/idp/saml/sso',
    summary: 'Simulated identity provider: SAML sign-on as any user',
    examples: { 200: PAGE },
    auth: open,
    limit,
    when: whenSimulated,
    schemas: { query: schema.SsoQuery },
    replies: { 200: HTML },
    async handler({ deps, query, setHeader }) {
      const idp = await loadSimulated();
      setHeader('cache-control', 'no-store');
      setHeader('content-security-policy', idp.pagePolicy(deps.config.samlAcsUrl));
      const provider = idp.providerOf(deps);
      const { subject, ...request } = query;
      if (subject === undefined) {
        await idp.rejectInvalid(() => idp.readRequest(provider, query.SAMLRequest));
        return idp.choosePage('/demo/idp/saml/sso', request);
      }
      const { acsUrl, response } = await idp.rejectInvalid(() =>
        idp.issueAssertion(provider, query.SAMLRequest, subject),
      );
      return idp.postPage(acsUrl, { SAMLResponse: response, RelayState: query.RelayState });
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
    async handler({ deps }) {
      const idp = await loadSimulated();
      return idp.metadataXml(idp.providerOf(deps));
    },
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
    examples: { 200: PAGE, 302: '' },
    replyHeaders: { Location: schema.LOCATION },
    async handler({ deps, query, isHead, setHeader, setStatus }) {
      const idp = await loadSimulated();
      setHeader('cache-control', 'no-store');
      setHeader('content-security-policy', idp.pagePolicy(deps.config.oidcRedirectUri));
      const provider = idp.providerOf(deps);
      const { subject, ...request } = query;
      await idp.rejectInvalid(() => idp.checkAuthorization(provider, query));
      if (subject === undefined) return idp.choosePage('/demo/idp/oidc/authorize', request);
      setStatus(302);
      if (!isHead)
        setHeader('location', await idp.rejectInvalid(() => idp.grantCode(provider, query, subject)));
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
    async handler({ deps }) {
      const idp = await loadSimulated();
      return idp.discoveryDocument(idp.providerOf(deps).settings);
    },
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
    async handler({ deps }) {
      const idp = await loadSimulated();
      return idp.keySet(idp.providerOf(deps));
    },
  }),
];
