import { key, route } from '../../http/route.js';
import { isTimeOn } from '../sites/sites.js';
import { readProfile } from './profile.js';
import { ProfileReply } from './profile.schema.js';

export const profileV1 = [
  route({
    operationId: 'getProfile',
    method: 'GET',
    path: '/v1/profile',
    summary: 'Get the name, accent color and logo that people see of the company, and whether they clock in',
    auth: key('devices:read', { device: true }),
    replies: { 200: ProfileReply },
    handler: async (context) => {
      const [profile, hasSites] = await Promise.all([readProfile(context), isTimeOn(context.read)]);
      return { profile: { ...profile, hasSites } };
    },
  }),
];
