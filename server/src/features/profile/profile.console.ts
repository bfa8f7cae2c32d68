import { console, route } from '../../http/route.js';
import { readProfile, updateProfile } from './profile.js';
import { CompanyProfileReply, ProfileBody } from './profile.schema.js';

export const profileConsole = [
  route({
    operationId: 'consoleGetProfile',
    method: 'GET',
    path: '/api/console/profile',
    summary: 'Get the name, accent color and logo that people see of the company',
    auth: console({ role: 'member' }),
    replies: { 200: CompanyProfileReply },
    handler: async (context) => ({ profile: await readProfile(context) }),
  }),
  route({
    operationId: 'consoleUpdateProfile',
    method: 'PUT',
    path: '/api/console/profile',
    summary: 'Change the name, accent color or logo of the company',
    description:
      'Fields that are left out stay. `logo` is a PNG or WebP image of at most 32 KiB and 1024 × 1024 pixels in base64; null removes it. ' +
      '`name` is the `companyName` of the account.',
    auth: console({ role: 'developer' }),
    schemas: { body: ProfileBody },
    replies: { 200: CompanyProfileReply },
    handler: async (context) => ({ profile: await updateProfile(context, context.body) }),
  }),
];
