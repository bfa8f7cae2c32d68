import { console, route } from '../../http/route.js';
import { confirmRestore } from '../accounts/accounts.js';
import { ConfirmRestoreReply } from './restore.schema.js';

export const restoreConsole = [
  route({
    operationId: 'consoleConfirmRestore',
    method: 'POST',
    path: '/api/console/account/confirm-restore',
    summary: 'Accept the identities of the account after a restore from a backup',
    description:
      'After a restore, the identities of an account are locked, because a phone that was lost, revoked or given another key after the ' +
      'backup would work again. This unlocks all of them. Repeating it changes nothing.',
    auth: console({ role: 'owner' }),
    acts: ['confirm_restore'],
    replies: { 200: ConfirmRestoreReply },
    async handler(context) {
      await confirmRestore(context);
      return { confirmed: true };
    },
  }),
];
