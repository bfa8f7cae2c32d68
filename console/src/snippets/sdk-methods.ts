/** A method of the SDK that sends an operation. */
export interface SdkMethod {
  readonly call: string;
  /** Its arguments: `path`, `query`, `session`, `body` or a field of the body. */
  readonly takes?: readonly string[];
  /** The property of the response that it returns. Default: the whole response. */
  readonly gives?: string;
  /** For a list, the name of one item. */
  readonly list?: string;
  readonly isVoid?: boolean;
}

/** By operation. The tests compile and run what is written from this. */
export const METHODS: Readonly<Record<string, SdkMethod>> = {
  createUser: { call: 'users.create', takes: ['body'], gives: 'user' },
  getUser: { call: 'users.get', takes: ['path'], gives: 'user' },
  listUsers: { call: 'users.list', takes: ['query'], list: 'user' },
  updateUser: { call: 'users.update', takes: ['path', 'body'], gives: 'user' },
  eraseUser: { call: 'users.erase', takes: ['path', 'body'] },
  createDevice: { call: 'devices.create', takes: ['body'], gives: 'device' },
  getDevice: { call: 'devices.get', takes: ['path'], gives: 'device' },
  listDevices: { call: 'devices.list', takes: ['query'], list: 'device' },
  updateDevice: { call: 'devices.update', takes: ['path', 'body'], gives: 'device' },
  enrollDevice: { call: 'devices.enroll', takes: ['body'], gives: 'device' },
  getProfile: { call: 'getProfile', gives: 'profile' },
  createVerification: { call: 'verifications.create', takes: ['body'], gives: 'verification' },
  getVerification: { call: 'verifications.get', takes: ['path'], gives: 'verification' },
  listVerifications: { call: 'verifications.list', takes: ['query'], list: 'verification' },
  createAttendance: { call: 'attendance.create', takes: ['body'], gives: 'attendance' },
  getAttendance: { call: 'attendance.get', takes: ['path'], gives: 'attendance' },
  listAttendance: { call: 'attendance.list', takes: ['query'], list: 'event' },
  createRegistration: { call: 'registrations.create', takes: ['body.profile'] },
  getRegistration: { call: 'registrations.get', takes: ['path'], gives: 'session' },
  cancelRegistration: { call: 'registrations.cancel', takes: ['path'], gives: 'session' },
  createNonce: { call: 'identity.createNonce' },
  getCircuitInfo: { call: 'identity.getCircuitInfo' },
  verifyIdentity: { call: 'identity.verify', takes: ['body'] },
  revokeIdentity: { call: 'identity.revoke', takes: ['body.did'], gives: 'identity' },
  getCurrentIdentity: { call: 'sessions.getCurrentIdentity', takes: ['session'] },
  refreshSession: { call: 'sessions.refresh', takes: ['body.refreshToken'] },
  logOut: { call: 'sessions.logOut', takes: ['session'], isVoid: true },
  listEvents: { call: 'events.list', takes: ['query'] },
  createWebhook: { call: 'webhooks.create', takes: ['body'] },
  getWebhook: { call: 'webhooks.get', takes: ['path'], gives: 'webhook' },
  listWebhooks: { call: 'webhooks.list', takes: ['query'], list: 'webhook' },
  updateWebhook: { call: 'webhooks.update', takes: ['path', 'body'], gives: 'webhook' },
  deleteWebhook: { call: 'webhooks.delete', takes: ['path'], isVoid: true },
  rotateWebhookSecret: { call: 'webhooks.rotateSecret', takes: ['path', 'body'], gives: 'secret' },
  testWebhook: { call: 'webhooks.test', takes: ['path'], gives: 'delivery' },
  replayWebhook: { call: 'webhooks.replay', takes: ['path', 'body'], gives: 'replay' },
  listWebhookDeliveries: { call: 'webhooks.listDeliveries', takes: ['path', 'query'], list: 'delivery' },
  getHealth: { call: 'getHealth' },
  consoleLogIn: { call: 'console.logIn', takes: ['body'] },
  consoleSignUp: { call: 'console.signUp', takes: ['body'] },
  consoleGetAccount: { call: 'console.getAccount' },
  consoleGetUsage: { call: 'console.getUsage' },
  consoleLogOut: { call: 'console.logOut', isVoid: true },
  consoleCreateApiKey: { call: 'console.keys.create', takes: ['body'], gives: 'apiKey' },
  consoleListApiKeys: { call: 'console.keys.list', takes: ['query'], list: 'key' },
  consoleRevokeApiKey: { call: 'console.keys.revoke', takes: ['path'], gives: 'apiKey' },
  consoleGetSecurityPolicy: { call: 'console.getSecurityPolicy', gives: 'security_policy' },
  consoleReplaceSecurityPolicy: {
    call: 'console.replaceSecurityPolicy',
    takes: ['body.security_policy'],
    gives: 'security_policy',
  },
  consoleListMembers: { call: 'console.members.list', gives: 'members' },
  consoleInviteMember: { call: 'console.members.invite', takes: ['body'] },
  consoleUpdateMember: { call: 'console.members.update', takes: ['path', 'body'], gives: 'member' },
  consoleRemoveMember: { call: 'console.members.remove', takes: ['path'], gives: 'member' },
  consoleAcceptInvitation: { call: 'console.acceptInvitation', takes: ['body'] },
  consoleCreateDevice: { call: 'console.devices.create', takes: ['body'] },
  consoleRevokeDevice: { call: 'console.devices.revoke', takes: ['path'], gives: 'device' },
};
