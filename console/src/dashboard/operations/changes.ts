import type { OperationName } from './operation';

type Names = readonly OperationName[];

const PEOPLE: Names = ['listUsers', 'getUser'];
const DEVICES: Names = ['consoleListDevices', 'getDevice'];
const IDENTITIES: Names = ['listUserIdentities', 'consoleListIdentities', 'listAttestationKeys'];
const SESSIONS: Names = ['consoleListSessions'];
const REGISTRATIONS: Names = ['listRegistrations', 'getRegistration', 'getRegistrationFunnel'];
const APPROVALS: Names = ['listApprovals', 'getApproval'];
const RECOVERY: Names = ['listRecoveries', ...REGISTRATIONS, ...IDENTITIES];
const WEBHOOK: Names = ['listWebhooks', 'getWebhook', 'listWebhookDeliveries', 'getWebhookDeliveryDays'];
const CLIENTS: Names = ['consoleListOidcClients', 'consoleGetOidcClient'];
const DEVICE: Names = [...DEVICES, ...IDENTITIES, ...SESSIONS];
const HOURS: Names = [
  'listSheets',
  'getMonth',
  'getSitePresence',
  'listCorrections',
  'listAttendance',
  'getAttendance',
  'getPresence',
];
const MEMBERS: Names = ['consoleListMembers', 'consoleGetSession'];

/** What of the dashboard shows a person, or what belonged to them. */
const OF_PERSON: Names = [
  ...PEOPLE,
  ...DEVICE,
  ...RECOVERY,
  ...APPROVALS,
  'listPairingSessions',
  'listVerifications',
  'getVerification',
  'listAttendance',
  'getAttendance',
  'getPresence',
  'consoleGetOverview',
];

/** What returns something else after a change, besides the audit log. */
export const CHANGES: Readonly<Partial<Record<OperationName, Names>>> = {
  consoleConfirmName: PEOPLE,
  updateUser: [...PEOPLE, ...SESSIONS, 'listUserBrowsers'],
  importUsers: PEOPLE,
  eraseUser: OF_PERSON,
  forgetBrowser: ['listUserBrowsers'],
  endSession: SESSIONS,
  revokeIdentity: [...IDENTITIES, ...SESSIONS],
  revokeAttestationKey: ['listAttestationKeys'],
  consoleCreateDevice: DEVICE,
  consoleUpdateDevice: DEVICE,
  consoleRegenerateDeviceCode: DEVICE,
  consoleRevokeDevice: DEVICE,
  createRegistration: REGISTRATIONS,
  cancelRegistration: REGISTRATIONS,
  confirmRecovery: RECOVERY,
  cancelRecovery: RECOVERY,
  createApproval: APPROVALS,
  cancelApproval: APPROVALS,
  createPairingSession: ['listPairingSessions'],
  createWebhook: WEBHOOK,
  updateWebhook: WEBHOOK,
  deleteWebhook: WEBHOOK,
  rotateWebhookSecret: WEBHOOK,
  testWebhook: WEBHOOK,
  replayWebhook: WEBHOOK,
  consoleCreateOidcClient: CLIENTS,
  consoleUpdateOidcClient: CLIENTS,
  consoleDeleteOidcClient: CLIENTS,
  consoleRotateOidcClientSecret: CLIENTS,
  consoleCreateApiKey: ['consoleListApiKeys'],
  consoleUpdateApiKey: ['consoleListApiKeys'],
  consoleRotateApiKey: ['consoleListApiKeys'],
  consoleRevokeApiKey: ['consoleListApiKeys'],
  createSite: ['listSites'],
  updateSite: ['listSites', 'listSheets', 'getMonth'],
  closeMonth: ['getMonth'],
  createAttendanceMark: ['getSitePresence'],
  deleteAttendanceMark: ['getSitePresence'],
  createInspection: ['listInspections'],
  revokeInspection: ['listInspections'],
  proposeCorrection: ['listCorrections'],
  decideCorrection: HOURS,
  withdrawCorrection: ['listCorrections'],
  recordCorrection: HOURS,
  consoleInviteMember: MEMBERS,
  consoleUpdateMember: MEMBERS,
  consoleRemoveMember: MEMBERS,
  consoleAddPasskey: ['consoleListPasskeys'],
  consoleRemovePasskey: ['consoleListPasskeys'],
  consoleChangePassword: ['consoleListLoginSessions', 'consoleGetSession'],
  consoleEndLoginSession: ['consoleListLoginSessions'],
  consoleUpdateProfile: ['consoleGetProfile', 'consoleGetSession'],
  consoleCloseAccount: ['consoleGetSession'],
  consoleConfirmRestore: ['consoleGetOverview'],
};
