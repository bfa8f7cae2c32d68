/** All texts about an error code, wherever they are used. Words between backticks are code. */
export interface ErrorRecord {
  /** The HTTP status. Part of the contract, as the code is. */
  readonly status: number;
  /** The default `message` of a response. */
  readonly message: string;
  /** What the code means and when it is returned. */
  readonly cause: string;
  /** What a developer can do about it. */
  readonly next: string;
  /** What to do on the command line, where that differs from `next`. */
  readonly cli?: string;
  /** What our pages show instead of `message`, where a person can't act on that. */
  readonly page?: string;
}

const RECORDS = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid.',
    cause:
      'A field of the request is missing, malformed or unknown. This includes wrong types, a bad `limit` or `cursor`, invalid JSON and a repeated `Idempotency-Key` header. Nothing is written.',
    next: 'Fix the fields listed in `details`. Retrying the same request will fail again.',
  },
  webhook_url_refused: {
    status: 400,
    message: 'Events cannot be sent to this URL.',
    cause:
      'The URL of a webhook must begin with `https://`, have no user name or password, use port 443 or a port from 1024, have at most 2,048 characters, and name no address of a private or reserved network.',
    next: 'Use the public HTTPS address of your receiver. To try it on your own machine, use `svc listen`. On your own installation, `OUTBOUND_ALLOW_CIDRS` allows private networks, and `WEBHOOK_ALLOW_HTTP` plain HTTP outside production.',
  },
  biometric_data_rejected: {
    status: 400,
    message: 'Biometric data is never accepted. Send a commitment or a proof instead.',
    cause:
      'The body has a field with a biometric name, such as `faceImage`. The whole name is compared with a fixed list, ignoring case, `_` and `-`, at any depth and inside `metadata` too. The request is rejected before anything is stored or logged. Biometric data under another name is not detected and must not be sent either.',
    next: 'Remove the field. Create a commitment or a proof on the device and send that instead. A device’s own hardware `fingerprint` is allowed.',
  },
  pairing_match_required: {
    status: 400,
    message: 'This pairing session asks for the number that the desktop shows. Send matchCode.',
    cause:
      'The pairing session was opened with `match: "type"`, or the security policy requires it, and the request has no `matchCode`. The session stays open.',
    next: 'Ask the person for the two digits on the desktop, create a proof that is bound to them, and send both.',
    cli: 'Pass --number with the two digits that the desktop shows.',
    page: 'Type the number that the other screen shows.',
  },
  weak_password: {
    status: 400,
    message: 'The password is too weak.',
    cause:
      'The new password is too easy to guess. It needs at least 12 characters, a letter and a digit. It can’t be a common password, the name part of the e-mail or the company name, even with digits or symbols around it.',
    next: 'Read the reason in `message` and choose another password. A sentence of several words works best.',
  },
  attestation_malformed: {
    status: 400,
    message: 'The evidence of this key cannot be read.',
    cause:
      'The attestation object, the client data or the authenticator data is not what an authenticator writes: not base64url, not CBOR or JSON, cut, with a field twice, or too large.',
    next: 'Send what `navigator.credentials` returned, unchanged. Sent again as it is, the request fails again.',
    page: 'This phone’s passkey could not be read. Try again.',
  },
  device_attestation_required: {
    status: 400,
    message: 'This account requires a device attestation.',
    cause:
      'With `require_verified_attestation` in the account’s security policy, each proof needs an assertion by the phone’s passkey, and this one has none. Otherwise the policy requires a verdict about the device, and the phone sent none. This is checked before the proof is verified, and spends nothing: a pairing session stays open.',
    next: 'With `require_verified_attestation`, enroll a passkey and send `attestation`. Otherwise send `clientMeta.deviceAttestationVerdict`, or ask the account owner to allow a missing verdict in the security policy.',
    cli: 'If the account has require_verified_attestation, enroll a passkey with `svc phone passkey`. Otherwise `svc phone pair --verdict MEETS_DEVICE_INTEGRITY` claims a verdict.',
    page: 'This company accepts only phones with a device attestation, which a web page can’t provide. Use the company’s app.',
  },
  missing_api_key: {
    status: 401,
    message: 'Send an API key in Authorization: Bearer … or X-API-Key.',
    cause:
      'The request has no API key. The key is checked before the body is read, except where a phone without a key names its account in the body. A console token is not an API key, and a key in the URL is ignored.',
    next: 'Send the key as `Authorization: Bearer svc_…` or in `X-API-Key`. A phone sends `tenantId` and `environment` in the body instead, where the endpoint allows it. The operator’s endpoints (`/api/admin/…` and the list of leads) require the operator’s key, in `X-API-Key` only.',
    cli: 'Set SVC_API_KEY.',
  },
  invalid_api_key: {
    status: 401,
    message: 'The API key is invalid, expired or revoked.',
    cause:
      'The key is unknown, mistyped, expired or revoked. You also get this for two different keys in the two headers, for a header sent twice, and for a key that was revoked while the request was running. In that case nothing was written. The operator’s endpoints return it for every key except the operator’s.',
    next: '`message` says whether the key is malformed or in the wrong place. Otherwise find it in the console by its prefix. A revoked or expired key never works again, so create a new one. On the operator’s endpoints, send the server’s `ADMIN_API_KEY` in `X-API-Key`.',
    cli: 'Check SVC_API_KEY and BASE_URL. A key works only on the server that created it, until it is revoked.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail or password is wrong.',
    cause:
      'The e-mail and the password don’t match. Logging in returns the same error whether or not the account exists. Changing the password returns it if the current password is wrong, which also counts as a failed log-in.',
    next: 'Check the e-mail and the password. If the service sends e-mail, “Forgot password?” on the log-in page sends a link to choose a new one. Otherwise its operator can reset it.',
    cli: 'Check SVC_EMAIL, SVC_PASSWORD and BASE_URL.',
  },
  invalid_console_token: {
    status: 401,
    message: 'The console token is missing, invalid or expired. Log in again.',
    cause:
      'The console token is missing, malformed, older than 24 hours or no longer valid. Logging out and changing the password invalidate all older tokens of the account. An API key does not work on console endpoints.',
    next: 'Log in again and send the new token as `Authorization: Bearer …`.',
    cli: 'Unset SVC_CONSOLE_TOKEN and set SVC_EMAIL and SVC_PASSWORD, or log in again.',
    page: 'You are not logged in any more.',
  },
  missing_session_token: {
    status: 401,
    message: 'Send the access token in X-Session-Token.',
    cause:
      'The endpoint acts on a person’s session, and the request has no access token. The API key is valid, but it identifies the account, not the person.',
    next: 'Send the session’s access token in `X-Session-Token`, together with the API key.',
  },
  invalid_session_token: {
    status: 401,
    message: 'The session token is invalid, expired or revoked.',
    cause:
      'The access token is forged or expired, or its session has ended. A session ends when the person logs out, when its identity is revoked or its user becomes inactive, and when a refresh token is used twice. A token of another tenant or environment, or of no identity, gets the same error.',
    next: 'Refresh the session once. If that fails too, ask the person for a new proof.',
  },
  invalid_refresh_token: {
    status: 401,
    message: 'The refresh token is invalid, expired, already used or revoked.',
    cause:
      'The refresh token is unknown, expired or already used, or its session has ended. Each token works once. Using it again ends the session, because it may have been stolen. The exception is a retry within 60 seconds with the same `Idempotency-Key`: it returns the first response again as long as the new token is unused.',
    next: 'Ask the person for a new proof. Store the new token before you use it, and send an `Idempotency-Key` so that you can retry after a lost response.',
  },
  verification_failed: {
    status: 401,
    message: 'The verification failed.',
    cause:
      'The proof was not accepted. All causes return the same error, so that nobody can probe for identities: an unknown or revoked DID, an inactive user, a different commitment, a timestamp more than 5 minutes off, a used nonce, a proof for another purpose, tenant or environment, or an invalid proof.',
    next: 'Request a new nonce, prove with exactly its `timestamp` for this tenant and environment, and check that the DID is registered here. A failed attempt does not use up the nonce.',
    page: 'The service did not accept this phone’s identity. The identity may be revoked or the user inactive. Ask your administrator.',
  },
  attestation_refused: {
    status: 401,
    message: 'The key was not accepted.',
    cause:
      'The proof, the challenge or the evidence was not accepted, or the identity has a key already. All causes return the same error. With an API key, the reason is in the audit log.',
    next: 'Request a new challenge, make a passkey on a page of this service with user verification, and prove with the binding of docs/attestation.md. To replace a key, send an assertion by it, or use a key with `zkp:register`.',
    page: 'The service did not accept this phone’s passkey.',
  },
  proof_verification_failed: {
    status: 401,
    message: 'The proof is not valid.',
    cause:
      'The proof sent to a deprecated endpoint was not accepted. The proof is invalid, the timestamp is more than 5 minutes off, or the nonce was already used.',
    next: 'Request a new nonce and prove with exactly its `timestamp`. In new code, register an identity and use `/v1/identity/verify`, which also identifies the person.',
  },
  device_attestation_insufficient: {
    status: 401,
    message: 'The device attestation verdict is too low for this account.',
    cause:
      'The phone’s verdict ranks below the one that the account’s security policy requires. This is checked when a proof is submitted to a pairing session. Unknown values rank lowest. The session stays open. With `require_verified_attestation`, the level of the phone’s attestation key is too low. Only a valid proof gets this error for it.',
    next: 'Use a device with a better verdict, or ask the account owner to lower the requirement.',
    cli: '`svc phone pair --verdict MEETS_STRONG_INTEGRITY` claims the highest verdict. With require_verified_attestation, claims do not count, and a passkey reaches level 2 only.',
    page: 'This company accepts only phones with a device attestation, which a web page can’t provide. Use the company’s app.',
  },
  device_signature_invalid: {
    status: 401,
    message: 'The signature of the device is not valid.',
    cause:
      'The device did not show that it sent this request. All causes return the same error: an unknown device, one of another account or environment, one without a key, one that is not active, a signature of another request or by another key, a `timestamp` that is more than 60 seconds from the service’s clock, or a `jti` that was used before.',
    next: 'Check the clock of the device, and sign each request with a new `jti` and `timestamp`. If that fails too, look the device up: it must be `enrolled`, `active` and have a `keyThumbprint`.',
  },
  device_session_invalid: {
    status: 401,
    message: 'The session of the device is not valid. Open a new one.',
    cause:
      'The token of a device session is malformed or older than 12 hours, or its device was revoked, retired or set to `inactive`, or has another key.',
    next: 'Open a new session with the key of the device. If that fails with `device_signature_invalid`, the device is no longer in use.',
  },
  staff_session_invalid: {
    status: 401,
    message: 'Nobody acts at this desk. Begin again.',
    cause:
      'The token of a member at a desk is malformed, older than ten minutes or unused for two, or belongs to another desk or another session of this one. Or the device was revoked, the member was removed or has another role, or somebody began at the desk.',
    next: 'Let the member begin again at the desk.',
  },
  pairing_match_failed: {
    status: 401,
    message: 'The number is wrong. A session ends with it. An approval still waits.',
    cause:
      'A registered person’s valid proof came with a wrong number. A pairing session ends, because the person may be looking at another desktop. An approval still waits. Three wrong numbers a day lock the identity’s numbers for an hour.',
    next: 'Open a new session on the desktop and type its number, or type the number of the approval again. If the person did not start it, treat this as an attack.',
    page: 'That is not the number on the screen that asked. Nobody was signed in. If you did not start a sign-in, do not scan that code again.',
  },
  browser_signature_invalid: {
    status: 401,
    message: 'The signature of this browser is missing or wrong.',
    cause:
      'On the sign-in page, the browser signs each step with its key: the opening over a `browserChallenge` of the sign-in, which works once and for five minutes, and later steps over the session. A missing signature, one of another key, another step or another session, and a challenge that was used all look the same.',
    next: 'Read the sign-in again for a new challenge, and sign with the key that opened the session. A session that was opened without a key is completed without one.',
    page: 'This browser could not show that it began this sign-in. Start again.',
  },
  pairing_nonce_mismatch: {
    status: 401,
    message: 'The proof is not bound to this pairing session.',
    cause:
      'The proof’s second public signal must be derived from the DID and from the session’s id, nonce, tenant and environment. A proof for another session or another use does not match.',
    next: 'Scan the code that the desktop shows now and create a new proof from it. The session stays open until it expires.',
    page: 'The desktop shows a new code now. Scan that one.',
  },
  sso_failed: {
    status: 401,
    message: 'The sign-on failed. Start again.',
    cause:
      'The identity provider’s response was not accepted. All causes return the same error: a state that is unknown, used or older than 10 minutes, a wrong signature, audience or time, or a user who may not sign on this way.',
    next: 'Start the sign-on again. The state is used up even if the sign-on fails.',
  },
  pin_rejected: {
    status: 401,
    message: 'The number or the PIN is wrong.',
    cause:
      'No active person at the site of this desk has this number and this PIN. Which of the two is wrong is not said.',
    next: 'Type both again, or ask a member beside you.',
    page: 'The number or the PIN is wrong.',
  },
  insufficient_scopes: {
    status: 403,
    message: 'The API key lacks the scope that this endpoint requires.',
    cause:
      'The key is valid but not allowed to do this. Each endpoint requires one scope, which `message` names. Adding an identity to an existing user by `externalId` requires `users:write` as well.',
    next: 'Create a key with the required scope. The scopes of an existing key can’t be changed. The scopes of simulated sign-on are not among the defaults, so request them explicitly when you create the key.',
    cli: 'Create a key with that scope: `svc keys create Trying --scopes SCOPE --environment ENVIRONMENT`.',
  },
  address_not_allowed: {
    status: 403,
    message: 'This API key can’t be used from this address.',
    cause:
      'The key is valid, but its `allowedCidrs` list doesn’t contain the address that the request came from, which `message` names. Nothing was read or counted against the plan.',
    next: 'Send the request from an allowed network, or add the network to the key in the dashboard. If `message` names the address of your own proxy, the operator must set `TRUST_PROXY`.',
    cli: 'Run the command from an allowed network, or add this one to the key in the dashboard.',
  },
  tenant_inactive: {
    status: 403,
    message: 'The account is suspended, deactivated or closed.',
    cause:
      'The account is suspended, deactivated or closed. All its API keys and console tokens are rejected, and logging in fails even with the right password. While it is closing, its owner can log in and reopen it.',
    next: 'If you closed the account, reopen it in the dashboard. Otherwise contact the operator of the service. Until the date of a closing, nothing is deleted, and the same keys work again once the account is active.',
    cli: 'Contact the operator of the service.',
  },
  attendance_remote_refused: {
    status: 403,
    message: 'This person may clock in at a desk only.',
    cause:
      'The phone sent no code of a desk, and neither the site nor the person has `attendanceFrom: "anywhere"`.',
    next: 'Scan the code of a desk. Or let the person or the site clock in from anywhere, with `attendanceFrom` of either.',
    page: 'Scan the code of a desk. Your company lets you clock in only there.',
  },
  attendance_network_refused: {
    status: 403,
    message: 'This desk takes no phone on this network.',
    cause: 'The security policy lists `attendance.networks`, and the request came from another network.',
    next: 'Use the network of the company, such as its Wi-Fi, or add the network to the policy.',
    page: 'Use the network of your company, such as its Wi-Fi, and scan the code again.',
  },
  name_not_confirmed: {
    status: 403,
    message: 'Nobody has confirmed the name of this person yet.',
    cause:
      'Only people may clock in whose name a member confirmed, or who were created by the account, unless the security policy has `attendance.confirmed_only: false`.',
    next: 'Confirm the name in the dashboard or at a desk.',
    page: 'Ask the reception or the personnel office to confirm your name.',
  },
  correction_of_oneself: {
    status: 403,
    message: 'Nobody decides about their own hours for the company.',
    cause: 'The member has shown by their phone that they are the person whose hours this is about.',
    next: 'Another member with the right `hours` has to do it.',
  },
  demo_auth_disabled: {
    status: 403,
    message: 'Simulated sign-on is not enabled on this server.',
    cause:
      'The SAML and OIDC endpoints work only when the operator has set `ENABLE_DEMO_AUTH`, and in production `ALLOW_DEMO_AUTH_IN_PRODUCTION` as well.',
    next: 'Use proofs, which need no flag, or a server that has the flag set. Retrying does not help.',
  },
  template_register_disabled: {
    status: 403,
    message:
      'Template registration is disabled. Derive the commitment on the device and call POST /v1/identity/register.',
    cause:
      'This server does not derive identities from templates. In production, the deprecated register endpoints work only when the operator has set `ENABLE_TEMPLATE_REGISTER`.',
    next: 'Keep the template on the device, derive the commitment there, and send it to `/v1/identity/register`.',
  },
  endpoint_disabled: {
    status: 403,
    message: 'The security policy of this account disables this endpoint.',
    cause:
      'The account’s security policy sets `deprecated_verify` to `off`: the proof was not verified, and its nonce was not used up. For `/v1/audit/checkpoint`, it does not set `audit_checkpoint` to `true`.',
    next: 'Instead of `/v1/auth/zkp/verify`, use `/v1/identity/verify`, which accepts registered identities only. For checkpoints, an owner sets `audit_checkpoint`. Retrying does not help.',
  },
  role_insufficient: {
    status: 403,
    message: 'Your role in this account does not allow this.',
    cause:
      'A member with the role `auditor` can only read. `developer` can change everything but members, the security policy, recoveries and the account itself. `owner` can do everything.',
    next: 'Ask an owner of the account to do it, or to change your role.',
  },
  step_up_required: {
    status: 403,
    message: 'Confirm with your password or a passkey that it is you.',
    cause:
      'This change needs a log-in that was confirmed within the last five minutes. Logging in confirms it. With the token of a program, this is only required if the security policy has `console_step_up: "always"`.',
    next: 'Post the password to `/api/console/step-up` and repeat the request, or log in again.',
    cli: 'Unset SVC_CONSOLE_TOKEN and set SVC_EMAIL and SVC_PASSWORD, so that the command logs in.',
  },
  api_key_required: {
    status: 403,
    message: 'In the live environment, only an API key does this.',
    cause:
      'A member asks for approvals and uses them in `test` only, to try them. In `live`, the program that acts on an approval does it with its own key.',
    next: 'Send the request with an API key that has the scope, or choose `environment=test`.',
  },
  other_member_required: {
    status: 403,
    message: 'Another owner has to confirm this recovery, in the dashboard.',
    cause:
      'Two people have to agree to this recovery. With `recovery_two_person`, the member who opened it cannot confirm it, and one that an API key opened needs two owners. One that a revoked phone contested needs two owners, if the account had two when it was opened. Only members who were owners when it was opened count. API keys cannot confirm any of these.',
    next: 'Ask another owner of the account to confirm it in the dashboard. If there is none, cancel it, and invite one before you open it again.',
  },
  plan_upgrade_required: {
    status: 403,
    message: 'The current plan does not include this feature.',
    cause:
      'The account’s plan does not include this feature. On-chain verification in the security policy requires the growth or enterprise plan.',
    next: 'Choose off-chain verification, or ask the operator for another plan. The policy is unchanged.',
  },
  origin_not_allowed: {
    status: 403,
    message: 'The origin is not on the account’s list.',
    cause:
      '`context.origin` or the origin of `returnUrl` is not in `origins` of the security policy. Scheme, host and port are compared, and a URL with a user name or password is never allowed.',
    next: 'Add the origin to `origins` in the security policy, for example `https://app.example.com`.',
  },
  new_browser_refused: {
    status: 403,
    message: 'This account does not sign people in with a browser that is new to them.',
    cause:
      'The security policy has `new_browser: "nearby_or_same_device"`. The session is not on the same device, and its browser is not known to the person, or cannot be: it was opened by an API key without an enrolled device, has no key, or the person’s phone has no passkey in force.',
    next: 'A person can turn on the passkey of their phone, or sign in on the phone itself. A program opens the session with `sameDevice` or as an enrolled device, or signs people in on the hosted page: `hosted_url` is the authorization endpoint of the account, which needs the parameters of an application, as `signInHosted` of the SDK sends them.',
    page: 'Your company does not allow this sign-in in a browser that is new to you. Sign in on this phone instead.',
  },
  pairing_bind_mismatch: {
    status: 403,
    message: 'The bind cookie of this pairing session is missing or wrong.',
    cause:
      'This browser can’t watch the pairing session. The cookie `svc_pair_bind` is missing or belongs to other sessions. Only the browser that opened the session has the cookie, and it covers up to four sessions.',
    next: 'Send the cookie that was set when the session was created, with credentials included and over HTTPS, or open a new session from this browser.',
  },
  not_found: {
    status: 404,
    message: 'No such endpoint.',
    cause:
      'This server has no such endpoint. Paths are case-sensitive, and a trailing slash makes a different path. The operator’s endpoints exist only if `ADMIN_API_KEY` is set, and the simulated identity provider only if `ENABLE_DEMO_AUTH` is set. An integrity check returns this error for an unknown tenant id.',
    next: 'If `message` suggests a path, try that one. Otherwise compare the path with `/openapi.json`, and the server’s settings with what the endpoint needs.',
  },
  member_not_found: {
    status: 404,
    message: 'No such member of this account.',
    cause:
      'Nobody with this id is a member of the account or invited. Members who were removed are not found either.',
    next: 'List the members, and use the id of one of them.',
    cli: '`svc members list` lists the members.',
  },
  invitation_not_found: {
    status: 404,
    message: 'This invitation does not exist any more.',
    cause:
      'The invitation was accepted or withdrawn, its seven days are over, who invited is no longer an owner, or the token is wrong.',
    next: 'Ask an owner of the account for a new invitation.',
  },
  password_reset_not_found: {
    status: 404,
    message: 'This link does not work any more. Ask for a new one.',
    cause:
      'The link was used, its 30 minutes are over, a newer one was sent, the password or the e-mail changed since, the member was removed, the account is suspended, or the token is wrong.',
    next: 'Ask for a new link: “Forgot password?” on the log-in page.',
  },
  passkey_not_found: {
    status: 404,
    message: 'You have no such passkey.',
    cause: 'The passkey was removed, or it is one of another member.',
    next: 'List your passkeys, and use an id of the list.',
  },
  device_not_found: {
    status: 404,
    message: 'No such device in this environment.',
    cause:
      'No device has this id in the caller’s environment. The id can be in the path or in the body. Devices of another tenant or of the other environment are not found either, and neither is an id in the path that is not a UUID.',
    next: 'List the devices with the same key, and check that `svc_live_` or `svc_test_` is the environment you mean.',
  },
  user_not_found: {
    status: 404,
    message: 'No such user in this environment.',
    cause:
      'No user has this id in the caller’s environment. The id can be in the path or in the body. Users of another tenant or of the other environment are not found either.',
    next: 'List the users with the same key, and check that `svc_live_` or `svc_test_` is the environment you mean.',
  },
  verification_not_found: {
    status: 404,
    message: 'No such verification in this environment.',
    cause:
      'The verification in the path or the body does not exist. Verifications of another tenant or of the other environment are not found either.',
    next: 'List the verifications with the same API key, and check that you use the right environment, `svc_live_` or `svc_test_`. When you record attendance, you can also leave `verificationId` out.',
  },
  attendance_not_found: {
    status: 404,
    message: 'No such attendance event in this environment.',
    cause:
      'No attendance event has this id. Events of another tenant or of the other environment are not found either.',
    next: 'List attendance with the same API key, and check that you use the right environment, `svc_live_` or `svc_test_`.',
  },
  site_not_found: {
    status: 404,
    message: 'No such site in this environment.',
    cause: 'No site has this id. Sites of another tenant or of the other environment are not found either.',
    next: 'List the sites with the same API key.',
  },
  attendance_code_invalid: {
    status: 404,
    message: 'This code does not count any more.',
    cause:
      'A code of a desk counts for a minute, and a punch can be sent for two minutes after the scan. The device may also have been revoked, or the account is not active.',
    next: 'Scan the code that the desk shows now.',
    page: 'Scan the code that the desk shows now.',
  },
  inspection_not_found: {
    status: 404,
    message: 'No inspection that can be opened with this.',
    cause:
      'The link, the code or the session is wrong, or the inspection has ended: its time is over, it was revoked, or it had twenty wrong codes. Five wrong codes lock a link for 15 minutes.',
    next: 'Check the link and the code. If both are right, wait for 15 minutes, or ask the company for a new link.',
  },
  attendance_mark_not_found: {
    status: 404,
    message: 'No such mark in this environment.',
    cause: 'No mark has this id, or it was removed.',
    next: 'Read the marks in the sheets of the person.',
  },
  month_not_found: {
    status: 404,
    message: 'No such month.',
    cause: 'The month in the path is not written as YYYY-MM, such as 2026-05.',
    next: 'Write the month as YYYY-MM.',
  },
  correction_not_found: {
    status: 404,
    message: 'No such correction in this environment.',
    cause:
      'No correction has this id. Those of another tenant or of the other environment are not found either.',
    next: 'List the corrections.',
  },
  identity_not_found: {
    status: 404,
    message: 'No such identity in this environment.',
    cause:
      'No identity to revoke has this DID in the key’s environment. DIDs are unique only within a tenant and environment.',
    next: 'Check the DID and the key’s environment. Revoking an identity again is not an error.',
  },
  anchor_not_found: {
    status: 404,
    message: 'Not anchored yet.',
    cause:
      'No batch contains the identity or the audit event. Either anchoring was off when the record was created, or the record belongs to the test environment or to another account, or it is still waiting for a batch.',
    next: 'Check `providers` in the security policy. Audit heads are anchored every ten minutes, identities as soon as the blockchain is available.',
  },
  api_key_not_found: {
    status: 404,
    message: 'No such API key.',
    cause:
      'The account has no API key with this id. To revoke a key, use its id from the list, not its prefix or the key itself.',
    next: 'List the keys and use the `id` of the one you want to revoke.',
  },
  webhook_not_found: {
    status: 404,
    message: 'There is no webhook with this id.',
    cause: 'The id is unknown, or the webhook was deleted or belongs to another account or environment.',
    next: 'List the webhooks with GET /v1/webhooks. Use a key of the environment in which the webhook was created.',
  },
  oidc_client_not_found: {
    status: 404,
    message: 'There is no OpenID client with this id.',
    cause: 'The id is unknown, or the client was deleted or belongs to another account or environment.',
    next: 'List the clients with GET /api/console/oidc/clients, in the environment in which the client was created.',
  },
  browser_not_found: {
    status: 404,
    message: 'No such browser.',
    cause: 'The id is unknown, belongs to another tenant or environment, or the browser was forgotten.',
    next: 'List the browsers of the user again.',
  },
  sign_in_not_found: {
    status: 404,
    message: 'This sign-in is not open.',
    cause: 'It has ended or run out of time, or this browser did not begin it. All of these look the same.',
    next: 'Go back to the application and sign in again.',
  },
  pairing_session_not_found: {
    status: 404,
    message: 'No such pairing session.',
    cause:
      'The session id is unknown or belongs to another tenant. The public endpoint also returns this for every expired session and for inactive accounts, so that it reveals nothing more.',
    next: 'Scan the code again. If you get the same error, open a new session on the desktop.',
    page: 'This code has expired or was already used. Show a new one on the desktop and scan it.',
  },
  enrollment_failed: {
    status: 404,
    message: 'The enrollment failed. Try again or request a new code.',
    cause:
      'The device was not enrolled. All causes return the same error: an unknown, used, replaced or expired code, a fingerprint that is malformed or already taken, or an inactive account.',
    next: 'Check the fingerprint (16 to 256 characters of `A–Z a–z 0–9 : _ . = + / -`) and try again. A failed attempt does not use up the code. Otherwise create a new code in the console. A code works once, within 15 minutes.',
    cli: 'A code works once, within 15 minutes. Two devices in use can’t have the same fingerprint.',
  },
  pair_failed: {
    status: 404,
    message: 'Pairing failed. Try again or request a new code.',
    cause:
      'Step 1 of a registration failed. All causes return the same error: an unknown, used or expired pair code, the `session_id` of another session, a fingerprint that is malformed or already taken, or a registration that has ended.',
    next: 'Try again with the code exactly as shown and a unique fingerprint. A failed attempt does not use up the code. Otherwise open a new registration. Each code is valid for 15 minutes, the whole registration for 30.',
    cli: 'A code works once, within 15 minutes, and a phone can’t be two devices of the same account and environment. Open a new registration, or use another --phone FILE.',
    page: 'This code has expired or was already used. Ask the desk for a new one.',
  },
  enroll_failed: {
    status: 404,
    message: 'The step failed. Try again or request a new code.',
    cause:
      'Step 2 of a registration failed. All causes return the same error: an unknown, used or expired enroll code, the `session_id` of another session, or a registration that is not at this step.',
    next: 'Use the code that step 1 returned. If it has expired, open a new registration.',
    cli: 'A code works once, within 15 minutes. Open a new registration.',
    page: 'This registration has expired or was ended at the desk. Nothing was registered. Ask the desk for a new code.',
  },
  verify_failed: {
    status: 404,
    message: 'The step failed. Try again or request a new code.',
    cause:
      'Step 3 of a registration failed. All causes return the same error: a wrong code or challenge, a commitment that differs from step 2, an invalid proof, or a DID or commitment that is already registered.',
    next: 'Prove again with the challenge that step 2 returned. The fifth failure ends the registration. Open a new one after that.',
    cli: 'A code works once, within 15 minutes, and the fifth failure ends the registration. Open a new one.',
    page: 'The service did not accept this registration. It has expired, or the person is already registered. Nothing was saved. Ask the desk for a new code.',
  },
  session_not_found: {
    status: 404,
    message: 'No such session in this environment.',
    cause:
      'No registration, no session of a person and no log-in of the member has this id in the caller’s environment. Those of another tenant or of the other environment are not found either, and neither is an id that is not a UUID. Registrations that have ended are kept and can be read. A session of a person is deleted 90 days after it was opened.',
    next: 'Check the id that was returned when the registration or the session was opened, and that the key belongs to the same environment.',
  },
  attestation_key_not_found: {
    status: 404,
    message: 'No such attestation key.',
    cause: 'There is no attestation key with this id in the tenant and environment of the key.',
    next: 'List the keys of the identity by its `did`, and check that the key is of the same environment.',
  },
  attestation_evidence_not_found: {
    status: 404,
    message: 'The evidence of this key is no longer kept.',
    cause:
      'The service drops the evidence of an attestation key 30 days after its enrolment. Keys that were enrolled by an earlier version have none.',
    next: 'Use a copy that you kept. `evidenceHash` of the key shows whether it is the right one.',
  },
  approval_not_found: {
    status: 404,
    message: 'No such approval.',
    cause: 'There is no approval with this id in the tenant and environment of the key.',
    next: 'Check the id, and that the key is of the same environment.',
  },
  recovery_not_found: {
    status: 404,
    message: 'No such recovery in this environment.',
    cause:
      'No recovery has this id in the caller’s environment, or the id is not a UUID. A registration becomes a recovery when its proof was accepted for a person who had an identity.',
    next: 'List the recoveries at `/v1/recoveries` with a key of the same environment.',
  },
  addition_not_found: {
    status: 404,
    message: 'This code is unknown or has expired.',
    cause:
      'No addition of a phone has this id or code: it is unknown, it has expired after five minutes, or its account is not active.',
    next: 'Open a new addition on the phone that works, and scan its code.',
    page: 'This code is wrong or has expired. Show a new one on the other phone.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Method not allowed. The Allow header lists the supported methods.',
    cause:
      'The path exists, but not for this method. `HEAD` works wherever `GET` does. Preflight requests succeed only from origins that the operator has allowed.',
    next: 'Use a method listed in the `Allow` header.',
  },
  identity_limit_reached: {
    status: 409,
    message: 'This person has as many identities as the account allows.',
    cause:
      'The person has `max_identities` identities that are not revoked (default: 5), including those that can’t be used yet. When a phone adds another one, this is returned only after both proofs were accepted.',
    next: 'Revoke an identity that is no longer used, such as that of a lost phone.',
    page: 'You already have as many phones as this company allows. Remove one first.',
  },
  addition_rejected: {
    status: 409,
    message: 'The digits did not match, so no phone was added.',
    cause:
      'The person typed other digits than those that the new phone shows, or one of the phones ended the addition. The person has one try.',
    next: 'Open a new addition on the phone that works. If the digits differ again, an attacker may be between the two phones.',
    page: 'The digits did not match. No phone was added. Start again on the phone that works.',
  },
  addition_closed: {
    status: 409,
    message: 'Another phone has already used this code, or the addition is complete.',
    cause:
      'This step was already taken, another phone joined first, or the steps were sent in the wrong order.',
    next: 'Open a new addition on the phone that works.',
    page: 'Another phone has already used this code. Start again on the phone that works.',
  },
  recovery_required: {
    status: 409,
    message: 'This person had an identity before. A new phone needs a recovery.',
    cause:
      'The security policy has `protect_identities`, and this person has or had an identity. Registering another one directly would let anybody with this API key act as the person.',
    next: 'Add the phone from another phone of the person, or open a recovery: start a registration with `userId` and a key that has `users:recover`.',
  },
  user_erased: {
    status: 409,
    message: 'This person was erased.',
    cause:
      'Everything personal about the user was erased. Only the id is left, so that events and the audit log stay whole. For the receipt of an approval the status is 410.',
    next: 'Register the person as a new user. An erasure cannot be undone.',
  },
  recovery_closed: {
    status: 409,
    message: 'This recovery has ended.',
    cause: 'The recovery was completed, cancelled or contested before.',
    next: 'Read its state at `/v1/recoveries`. Open a new registration if the person still needs one.',
    page: 'This recovery has already ended.',
  },
  external_id_conflict: {
    status: 409,
    message: 'Another record already has this externalId.',
    cause:
      'Another record of this kind already has this `externalId`, which must be unique per tenant, environment and kind. You also get this error when you open a registration for a profile whose `externalId` is taken, and when you register an identity for a user who already has an active one.',
    next: 'Find the record that has it and change that record, or choose another `externalId`.',
  },
  did_already_registered: {
    status: 409,
    message: 'This DID is already registered.',
    cause:
      'The tenant has already registered this DID in this environment. A revoked DID stays taken. Case is ignored.',
    next: 'If this was a retry, send the `Idempotency-Key` of the first request to get its record. Otherwise register another DID.',
  },
  commitment_already_registered: {
    status: 409,
    message: 'This commitment is already registered under another DID.',
    cause:
      'Another DID of this tenant and environment has this commitment. Two DIDs with one commitment would share one secret.',
    next: 'Verify with the DID that has the commitment, or create a new secret and commitment on the device.',
  },
  approver_without_identity: {
    status: 409,
    message: 'An approver is not active or has no phone that can approve.',
    cause:
      'Each approver must be an active user with an identity in force, because only a phone can approve.',
    next: 'Register a phone for the person, or name somebody else.',
  },
  attestation_key_taken: {
    status: 409,
    message: 'This key is enrolled already.',
    cause:
      'A key with this credential or this public key is or was enrolled in this environment. Each identity has its own.',
    next: 'Make a new passkey for this identity.',
    page: 'This passkey already belongs to an identity. Try again with a new one.',
  },
  approval_closed: {
    status: 409,
    message: 'This approval has ended, or the person has decided.',
    cause:
      'The approval was given, declined, cancelled or used, its time is over, or this person has decided before.',
    next: 'Read its state. Ask again with a new approval if you still need it.',
    page: 'This request has already ended.',
  },
  approval_not_approved: {
    status: 409,
    message: 'This approval is not given.',
    cause:
      'Only an approval in state `approved` can be used, and only before `expiresAt`. While it is `pending` it has no receipt.',
    next: 'Wait until it is approved. If it was declined or has expired, do not act.',
  },
  approval_consumed: {
    status: 409,
    message: 'This approval was used before.',
    cause: 'An approval can be used once.',
    next: 'Do not act again. If your program lost the response, find out what it did by its own `reference`.',
  },
  approval_mismatch: {
    status: 409,
    message: 'What you are about to do is not what was approved.',
    cause: '`actionSha256` is not the hash of the action that people approved.',
    next: 'Do not act. Compute the hash from the canonical JSON (RFC 8785) of the whole action.',
  },
  approver_revoked: {
    status: 409,
    message: 'Somebody who approved cannot approve any more, so the approval waits again.',
    cause:
      'The person was deactivated or erased, or the identity of the phone was revoked or got another secret, after they approved.',
    next: 'Do not act. Wait until enough people have approved.',
  },
  last_owner: {
    status: 409,
    message: 'The account would have no owner who can log in. Make another member an owner first.',
    cause:
      'The last owner of an account cannot be removed, get another role or delete their last passkey if they have no password.',
    next: 'Make another member an owner first. To end the account, close it.',
    cli: 'Make another member an owner first: `svc members role MEMBER owner`.',
  },
  email_already_registered: {
    status: 409,
    message: 'An account with this e-mail already exists.',
    cause: 'An account with this e-mail exists, so you can’t sign up with it. Case is ignored.',
    next: 'Log in instead, or sign up with another address.',
    cli: 'Log in with SVC_EMAIL and SVC_PASSWORD, or sign up with another e-mail.',
  },
  member_limit_reached: {
    status: 409,
    message: 'An account can have at most 200 members and open invitations.',
    cause: 'The account has 200 members and open invitations, the maximum.',
    next: 'Remove members who have left, or invitations that nobody accepted.',
  },
  passkey_limit_reached: {
    status: 409,
    message: 'A member can have at most 20 passkeys.',
    cause: 'The member has 20 passkeys, the maximum.',
    next: 'Remove a passkey that you do not use any more.',
  },
  api_key_limit_reached: {
    status: 409,
    message: 'An account can have at most 10 active API keys. Revoke one first.',
    cause:
      'The account has 10 active API keys, the maximum. Keys of both environments count. Revoked and expired keys don’t.',
    next: 'Find an unused key by its last-used time and revoke it, then create the new one.',
  },
  api_key_not_active: {
    status: 409,
    message: 'This API key has ended or was already replaced.',
    cause:
      'The key is revoked or expired, so it can’t be rotated or changed. A key that was already rotated can’t be rotated again, also while it still works.',
    next: 'List the keys. To replace a key that was already rotated, rotate the key that `replacedBy` names. If a key has ended, create a new one.',
  },
  webhook_limit_reached: {
    status: 409,
    message: 'The environment has as many webhooks as the plan allows.',
    cause: 'An environment can have 1, 3, 10 or 50 webhooks, by plan. Paused and disabled webhooks count.',
    next: 'Delete a webhook that is no longer used, select more events with one webhook, or ask for a larger plan.',
  },
  site_limit_reached: {
    status: 409,
    message: 'The environment has 500 sites.',
    cause: 'An environment can have 500 sites.',
    next: 'Change a site that is no longer used.',
  },
  employee_code_taken: {
    status: 409,
    message: 'Somebody else at this site has this personnel number.',
    cause:
      'The number finds one person at a site, so `employeeCode` is unique among the people with the same `siteId`.',
    next: 'Give the person another `employeeCode`, or another site.',
  },
  month_flags_open: {
    status: 409,
    message: 'The month has open flags.',
    cause: 'Flags of the sheets are open, and the request did not send their number as `openFlags`.',
    next: 'Read them with GET /v1/attendance/months/:month, correct what is wrong, and send the number of the rest.',
  },
  month_not_over: {
    status: 409,
    message: 'The month is not over yet.',
    cause: 'A month can be closed once it is over in the time zone of the site.',
    next: 'Close it after its last day.',
  },
  month_changed: {
    status: 409,
    message: 'The month changed while it was being closed.',
    cause: 'Attendance of the month was recorded or corrected while the sheets were computed, three times.',
    next: 'Send the request again.',
  },
  correction_closed: {
    status: 409,
    message: 'This correction has ended.',
    cause: 'Somebody agreed, contested, withdrew or recorded it before, or its 30 days are over.',
    next: 'Read the correction. To change something else, propose a new one.',
  },
  correction_open: {
    status: 409,
    message: 'This correction still waits for an answer.',
    cause:
      'Hours are only recorded without the agreement of the person after they contested a correction, after 30 days, or when they have left.',
    next: 'Wait for the answer of the person.',
  },
  correction_outdated: {
    status: 409,
    message: 'What this correction changes was changed by another one.',
    cause: 'An attendance event that it replaces was replaced by another correction since it was proposed.',
    next: 'Withdraw it, and propose a new one.',
  },
  correction_waits_for_person: {
    status: 409,
    message: 'This correction waits for the person.',
    cause:
      'A member proposed it, which is the yes of the account. The person decides on their phone or with their PIN.',
    next: 'Ask the person to decide, or withdraw it.',
  },
  correction_waits_for_member: {
    status: 409,
    message: 'This correction waits for the company.',
    cause: 'The person proposed it, which is their own yes. A member with the right `hours` decides.',
    next: 'Decide about it in the dashboard.',
    page: 'Your company has to answer first.',
  },
  pin_change_required: {
    status: 409,
    message: 'This PIN has to be changed first.',
    cause: 'The PIN was printed at a desk. It counts once the person has replaced it.',
    next: 'Change it with POST /v1/attendance/declared/pin.',
    page: 'Choose a PIN of your own first.',
  },
  desk_without_site: {
    status: 409,
    message: 'This desk belongs to no site.',
    cause: 'A personnel number is unique at a site, and the `locationId` of this device names none.',
    next: 'Set the `locationId` of the device to the id of its site.',
    page: 'This desk is not set up for personnel numbers yet.',
  },
  hours_kept: {
    status: 409,
    message: 'The working time of this person is still kept.',
    cause:
      'The site of the person keeps working time for `retentionMonths`, also for people who are erased. `until` is the day on which it is over.',
    next: 'Erase the person after `until`. Or send `hours: "later"`, which erases everything else now, and the hours then.',
  },
  oidc_client_limit_reached: {
    status: 409,
    message: 'The environment has as many OpenID clients as the plan allows.',
    cause: 'An environment can have 3, 10, 50 or 200 OpenID clients, by plan.',
    next: 'Delete a client that is no longer used, or ask for a larger plan.',
  },
  sign_in_not_approved: {
    status: 409,
    message: 'No phone has approved this sign-in.',
    cause:
      'The pairing session is not bound, belongs to another sign-in, was used, or needs the return code of the phone.',
    next: 'Wait for `session_bound` in the stream of the sign-in, and complete it once.',
  },
  chain_diverged: {
    status: 409,
    message: 'The event at this position is not the one that was read there.',
    cause:
      '`after` names a sequence number and the beginning of a hash, and the event with that number has another hash or does not exist. The database was probably restored from a backup.',
    next: 'Read the feed again from an event that both sides have, found by comparing hashes. Do not continue from this position: events after it may have been replaced.',
  },
  invalid_transition: {
    status: 409,
    message: 'This status change is not allowed.',
    cause:
      'The device can’t change from its current status to the requested one. A `retired` device stays retired. A device that is waiting for enrollment can only be retired. Other devices can change between `active`, `inactive` and `retired`.',
    next: 'Read the device’s current status. To replace a retired device, create a new one.',
    page: 'This status change is not allowed. The device is retired or was never enrolled. Check its status in the list.',
  },
  device_not_pending: {
    status: 409,
    message: 'This device is not waiting for an enrollment code.',
    cause:
      'The device is already enrolled, revoked or retired, or it is the phone of a registration, which only that registration can enroll.',
    next: 'For other hardware, create a new device. For a phone, open a new registration.',
    page: 'This device no longer needs a code. It was already enrolled, revoked or retired. Check its status in the list.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used with another request body.',
    cause:
      'This `Idempotency-Key` was used with a different body. Keys are remembered for 24 hours, per tenant, environment and endpoint, and bodies are compared byte by byte.',
    next: 'Use a new key for each new request. To retry, send exactly the same bytes.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
    cause: 'A retry arrived before the first request with this `Idempotency-Key` was finished.',
    next: 'Wait a moment and send the same request again. You get the first request’s record, or the request runs if the first one failed.',
  },
  pairing_session_already_bound: {
    status: 409,
    message: 'This pairing session is already bound to another proof.',
    cause: 'Another proof has bound the session. If proofs arrive at the same time, only one is accepted.',
    next: 'Check whether the desktop is signed in. Otherwise open a new session.',
    page: 'This code was already used. Check whether the desktop is signed in. If that was not you, inform your administrator.',
  },
  pairing_session_closed: {
    status: 409,
    message: 'This pairing session was declined or ended by a wrong number.',
    cause: 'The person declined the sign-in, or typed a wrong number. The session accepts nothing more.',
    next: 'Open a new session on the desktop.',
    page: 'This sign-in was ended. Start again on the other screen if it was you.',
  },
  pairing_code_stale: {
    status: 410,
    message: 'The code is no longer fresh. Scan the code that is shown now.',
    cause:
      'The pairing session’s code moves every 10 seconds. The scanned slot is neither the current one nor the one before, its signature is wrong, or the scan ticket is older than 120 seconds. When redeeming: the return code is wrong, used, or older than 60 seconds.',
    next: 'Scan the code that the desktop shows now, and ask for the context of that scan. To redeem, start the sign-in again.',
    cli: 'Pass the code that the desktop shows now.',
    page: 'The code has changed since it was scanned. Scan the one that is shown now.',
  },
  pairing_session_expired: {
    status: 410,
    message: 'The pairing session has expired. Open a new one.',
    cause:
      'The pairing session is older than 5 minutes, or the security policy became stricter than the session. You get this error when you submit a proof, even if the session was bound before it expired.',
    next: 'Open a new session on the desktop and scan its code.',
    page: 'This code has expired. Show a new one on the desktop and scan it.',
  },
  policy_changed: {
    status: 412,
    message: 'The security policy is not the one that you have read. Read it again.',
    cause:
      'Somebody changed the security policy after you read it, or the request has no `If-Match` with the `ETag` of the policy. Nothing was changed.',
    next: 'Read the policy, decide again, and send its `ETag` as `If-Match`.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is larger than 64 KiB.',
    cause:
      'The body is larger than 64 KiB. The limit applies to every endpoint but those of the OpenID Provider, which accept 56 KiB and return 400. A free-form object such as `metadata` can take up to 16 KiB of it.',
    next: 'Send less. Store files elsewhere and send a reference.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json (UTF-8, uncompressed).',
    cause:
      'The endpoint can’t read this content type. All endpoints read uncompressed `application/json` in UTF-8. The SAML callback reads an HTML form as well.',
    next: 'Set `Content-Type: application/json` and don’t set `Content-Encoding`.',
  },
  approval_limit_reached: {
    status: 429,
    message: 'Too many approvals wait for one of these people.',
    cause:
      'At most 20 approvals wait for a person at a time, and at most 5 of the same key or member. A person who is asked all the time approves without reading.',
    next: 'Wait until some were decided or have expired, or cancel those that you do not need any more.',
  },
  pin_locked: {
    status: 429,
    message: 'Too many wrong PINs. Try again later.',
    cause:
      'Five wrong PINs of a number lock it for 15 minutes, and twenty in a day for the rest of it. A desk takes 20 wrong ones in 15 minutes, and a site 100 in a day.',
    next: 'Wait for `Retry-After` seconds, or ask a member to clock the person in.',
    page: 'Too many wrong PINs. Wait a quarter of an hour, or ask somebody of the company.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'Too many requests. Try again after the time in Retry-After.',
    cause:
      'Too many requests in a short time. There are limits per plan, per IP address on public endpoints, for failed log-ins and wrong codes, on open event streams, and on unused codes (2,000 per account). Requests that get 429 or 503 don’t count towards the plan’s limit.',
    next: 'Wait for the number of seconds in `Retry-After`. `X-RateLimit-Remaining` shows in advance how many requests the plan has left.',
  },
  monthly_quota_exceeded: {
    status: 429,
    message: 'The monthly quota of the plan is used up.',
    cause:
      'The plan’s requests for this calendar month (UTC) are used up. Both environments count together. Requests that get 429 or 503 don’t count.',
    next: 'Ask the operator for a larger plan, or wait until the next month. `Retry-After` contains the number of seconds.',
    cli: 'The quota resets on the 1st of the month (UTC). A larger plan allows more requests.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. It was logged with the requestId.',
    cause:
      'An unexpected error in the service, not a problem with the request. A write either succeeded completely or changed nothing.',
    next: 'Report the `requestId`, under which the error is logged. If the endpoint accepts an `Idempotency-Key`, you can retry a write with the same key.',
  },
  identity_changed: {
    status: 503,
    message: 'This identity is not the one that the audit log knows.',
    cause:
      'The identity’s commitment, person or leaf in the database differs from the audit event that put it in force, so somebody has changed the database. The server has logged an alarm.',
    next: 'Do not retry. Tell the operator, who checks the audit chain with `/api/admin/audit-integrity`.',
    page: 'The service has found a problem with this identity and stopped. Tell your administrator.',
  },
  chain_unavailable: {
    status: 503,
    message:
      'The chain that verifies proofs for this account is unavailable. Try again after the time in Retry-After.',
    cause:
      'The security policy sets `providers.verification` to `onchain`. Our own verifier accepted the proof, but the blockchain’s RPC node can’t be reached, is too slow or belongs to another blockchain. The nonce is not used up.',
    next: 'Wait for the number of seconds in `Retry-After` and try again, with the same proof while its timestamp is valid. `/api/health` shows the state of the blockchain.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Try again after the time in Retry-After.',
    cause:
      'The database is unavailable, or the queue for proofs, passwords or OpenID keys is full. If a queue was full, nothing was changed. If the database connection broke, the write may have succeeded.',
    next: 'Wait for the number of seconds in `Retry-After` and try again, with the same `Idempotency-Key` if the endpoint accepts one. `/api/health` shows which part is down.',
  },
} as const satisfies Readonly<Record<string, ErrorRecord>>;

export type ErrorCode = keyof typeof RECORDS;

/**
 * The error codes, one record each. The server, the OpenAPI document, `docs/errors.md`, the SDK, the command line and the
 * pages all use these texts. Run `npm run gen` after a change.
 */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRecord>> = RECORDS;
