// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Mutations of the OpenID Provider. Each names the test that must fail.
const page =
  'server/test/oidc/attacks.test.ts > the sign-in page [GET /sign-in/:uid/details] [GET /sign-in/:uid/stream] [POST /sign-in/:uid/session] [POST /sign-in/:uid/complete] [POST /sign-in/:uid/cancel]';
const ends = 'server/test/oidc/tokens.test.ts > a sign-in ends immediately';
const tokens = 'server/test/oidc/tokens.test.ts > codes and tokens';
const nodes = 'server/test/oidc/attacks.pg.test.ts > two nodes';
const settings = 'server/test/oidc/settings.test.ts';
const device =
  'server/test/oidc/device.test.ts > the device flow [POST /oidc/:tenantId/:environment/device/auth] [GET /oidc/:tenantId/:environment/device] [POST /oidc/:tenantId/:environment/device] [GET /oidc/:tenantId/:environment/device/:uid]';
const oidc = 'server/src/features/openid-provider';
const address = `${oidc}/provider/sign-in-address.test.ts > the address of a sign-in`;
const streams =
  'server/test/oidc/strangers.test.ts > streams of sign-ins [GET /sign-in/:uid/stream] [D12.73]';

/** @type {import('./list.mjs').Mutation[]} */
export const openId = [
  {
    name: 'a code can be redeemed by several requests at the same time',
    file: `${oidc}/provider/state.store.ts`,
    find: 'where ${within(scope)} and id = ${id} and consumed_at is null returning grant_id',
    replace: 'where ${within(scope)} and id = ${id} returning grant_id',
    test: `${nodes} > give one of 50 simultaneous requests tokens for a code, and end them because of the others`,
  },
  {
    name: 'a code that another request spends gives tokens',
    file: `${oidc}/provider/adapter.ts`,
    find: 'if (spent?.length === 0) throw new AlreadyUsed();',
    replace: '',
    test: `${nodes} > give one of 50 simultaneous requests tokens for a code, and end them because of the others`,
  },
  {
    name: 'a code whose request failed can be used again',
    file: `${oidc}/provider/spent-codes.ts`,
    find: 'await takeCode(context)?.alone();',
    replace: '',
    test: `${nodes} > spend a code whose request failed after it was found`,
  },
  {
    name: 'a DPoP proof can be used by several requests at the same time',
    file: `${oidc}/provider/adapter.ts`,
    find: "kind === 'ReplayDetection' ? store.insertState : store.saveState",
    replace: 'store.saveState',
    test: `${nodes} > accept a DPoP proof once`,
  },
  {
    name: 'codes and tokens outlive their sign-in',
    file: `${oidc}/provider/grants.store.ts`,
    find: 'g.ended_at is null and ',
    replace: '',
    test: `${ends} > when the user becomes inactive, also if they are active again later`,
  },
  {
    name: 'a sign-in page is open in every browser',
    file: `${oidc}/sign-in/sign-in.ts`,
    find: "if (interaction?.uid !== uid || interaction.result !== undefined) return fail('sign_in_not_found');",
    replace: "if (interaction === undefined) return fail('sign_in_not_found');",
    test: `${page} > is closed after it was cancelled, and the application gets access_denied`,
  },
  {
    name: 'the approval of one sign-in completes another one',
    file: 'server/src/features/pairing/pairing.ts',
    find: "if (row?.interaction_hash !== interactionOf(context.principal)) fail('pairing_session_not_found');",
    replace: "if (row === undefined) fail('pairing_session_not_found');",
    test: `${page} > gives no tokens of /v1, and /v1/proof-pairing does not know its codes`,
  },
  {
    name: 'a sign-in gives tokens of /v1',
    file: 'server/src/features/pairing/submit.ts',
    find: "const isForOpenId = session.purpose === 'oidc';",
    replace: 'const isForOpenId = false;',
    test: `${page} > gives no tokens of /v1, and /v1/proof-pairing does not know its codes`,
  },
  {
    name: 'an address of a sign-in can be made up',
    file: `${oidc}/provider/sign-in-address.ts`,
    find: '.some((own) => equalSecrets(own.slice(0, MAC_LENGTH), mac));',
    replace: '.some((own) => own.length > mac.length);',
    test: `${address} > is not valid with any bit of the seal changed, or for another sign-in [D12.74]`,
  },
  {
    name: 'the address of a sign-in is not bound to its account',
    file: `${oidc}/provider/sign-in-address.ts`,
    find: '`${tenantId}|${environment}|${uid}`',
    replace: '`${environment}|${uid}${tenantId.slice(36)}`',
    test: `${address} > is not valid with any bit of the seal changed, or for another sign-in [D12.74]`,
  },
  {
    name: 'streams of sign-ins take the places of the plan',
    file: 'server/src/features/pairing/pairing-events.ts',
    find: "if ('uid' in principal) return principal.streamPlaces;",
    replace: '',
    test: `${streams} > take no place of the plan, and four of a sign-in`,
  },
  {
    name: 'a network opens streams of sign-ins without end',
    file: `${oidc}/sign-in/stream-places.ts`,
    find: '    [`sign-ins of network|${networkOf(address)}`, MAX_OF_NETWORK],\n',
    replace: '    [`sign-ins of network|${networkOf(address)}`, MAX_OF_NODE],\n',
    test: `${streams} > are at most 500 of an IPv6 /48`,
  },
  {
    name: 'a sign-in page hides its network',
    file: 'server/src/features/pairing/asked-from.ts',
    find: "const isBrowser = clientId !== null || (origin !== null && header('origin') === origin);",
    replace: "const isBrowser = origin !== null && header('origin') === origin;",
    test: 'server/test/oidc/strangers.test.ts > a sign-in page > cannot hide its network from the phone [D12.58]',
  },
  {
    name: 'the secret before the current one is valid for ever',
    file: `${oidc}/provider/client-metadata.ts`,
    find: '(row.previous_secret_until?.getTime() ?? 0) > deps.clock.now()',
    replace: '(row.previous_secret_until?.getTime() ?? 0) > 0',
    test: 'server/test/oidc/tokens.test.ts > client authentication > accepts the secret only, and the one before it until its grace ends',
  },
  {
    name: 'a client learns about the tokens of others',
    file: `${oidc}/provider/configuration.ts`,
    find: `    // A client only learns about its own tokens.
    allowedPolicy: (_context, client, token) => token.clientId === client.clientId,`,
    replace: '    allowedPolicy: () => true,',
    test: `${tokens} > are worth nothing to another client, redirect URI or verifier`,
  },
  {
    name: 'public and pairwise subjects are the same',
    file: `${oidc}/provider/configuration.ts`,
    find: "return type === 'public' ? userId : subjectOf(salt, sector, userId);",
    replace: 'return type && sector && salt ? userId : userId;',
    test: 'server/test/oidc/sign-out.test.ts > pairwise subjects > are the same for all clients of a host, and others for another host',
  },
  {
    name: 'login_hint is ignored',
    file: `${oidc}/provider/hints.ts`,
    find: '(await findUser(reader(db, scope), userId))?.external_id === externalId',
    replace: '(await findUser(reader(db, scope), userId)) !== undefined',
    test: 'server/test/oidc/flows.test.ts > signed in to one application > approves again for prompt=login, a max_age that has passed, and another person by login_hint',
  },
  {
    name: 'another person than the hinted one may approve',
    file: `${oidc}/provider/configuration.ts`,
    find: "if (hasApproved(context)) throw new errors.LoginRequired('another End-User approved');",
    replace: 'if (hasApproved(context)) return false;',
    test: `${settings} > a hint [D12.76] > of another person than the one who approves ends with login_required`,
  },
  {
    name: 'PKCE is never required',
    file: `${oidc}/provider/configuration.ts`,
    find: 'required: (_context, client) => extraOf(client).svc_require_pkce',
    replace: 'required: () => false',
    test: 'server/test/oidc/flows.test.ts > the authorization code flow [D12.69] > requires PKCE with S256',
  },
  {
    name: 'applications of two hosts get the same id of a verification',
    file: `${oidc}/provider/account.ts`,
    find: "extra.svc_subject_type === 'public'",
    replace: "extra.svc_subject_type !== 'none'",
    test: `${settings} > pairwise clients of one host or of two can’t join their sign-ins by verification_id [D12.75] [D12.275]`,
  },
  {
    name: 'the device flow ignores same_device_only',
    file: `${oidc}/provider/client-metadata.ts`,
    find: 'account === undefined || allowsDeviceFlow(account.securityPolicy)',
    replace: 'account !== undefined || allowsDeviceFlow({})',
    test: `${device} > is off with same_device_only, also for codes and approvals that are open [D12.77]`,
  },
  {
    name: 'the phone compares itself with the browser, not with the device that is signed in',
    file: 'server/src/features/pairing/asked-from.ts',
    find: 'const hash = device ? device.networkHash : networkHash;',
    replace: 'const hash = networkHash;',
    test: `${device} > tells the phone which device is signed in, and whether it is in its network [D12.77]`,
  },
  {
    name: 'accounts share a signing key',
    file: `${oidc}/keys/key-pairs.ts`,
    find: '`${tenantId}/${environment}`',
    replace: '`${tenantId && environment}`',
    test: 'server/src/features/openid-provider/keys/key-pairs.test.ts > key pairs > are shared by concurrent calls for an issuer, which takes one place in the queue',
  },
];
