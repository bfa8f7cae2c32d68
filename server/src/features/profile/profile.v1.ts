import { key, route } from '../../http/route.js';
import { readProfile } from './profile.js';
import { ProfileReply } from './profile.schema.js';

export const profileV1 = [
  route({
    operationId: 'getProfile',
    method: 'GET',
    path: '/v1/profile',
    summary: 'Get the name, accent color and logo that people see of the company',
    auth: key('devices:read', { device: true }),
    replies: { 200: ProfileReply },
    handler: async (context) => ({ profile: await readProfile(context) }),
  }),
];
