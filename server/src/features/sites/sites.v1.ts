import { key, route } from '../../http/route.js';
import { createSite, listSites, requireSite, serializeSite, updateSite } from './sites.js';
import * as schema from './sites.schema.js';

const params = { siteId: 'site_not_found' } as const;

export const sitesV1 = [
  route({
    operationId: 'createSite',
    method: 'POST',
    path: '/v1/sites',
    summary: 'Create a site, a place of work',
    description:
      'The first site of an environment turns working time on there: from then on, only members with the right `hours` or `representative`, and owners, read the attendance of others in the dashboard. A device belongs to a site by its `locationId`, which is the site’s id, and a person by `siteId`.',
    auth: key('sites:write', { console: { role: 'owner' } }),
    schemas: { body: schema.CreateSiteBody },
    replies: { 201: schema.CreatedSiteReply },
    errors: ['site_limit_reached', 'site_not_found'],
    handler: (context) => createSite(context, context.body),
    replay: async ({ read }, id) => ({ site: serializeSite(await requireSite(read, id)), keys: [] }),
  }),
  route({
    operationId: 'listSites',
    method: 'GET',
    path: '/v1/sites',
    summary: 'List sites, newest first',
    auth: key('sites:read', { console: { role: 'member' } }),
    schemas: { query: schema.ListSitesQuery },
    replies: { 200: schema.SiteListReply },
    compress: true,
    handler: (context) => listSites(context, context.query),
  }),
  route({
    operationId: 'getSite',
    method: 'GET',
    path: '/v1/sites/:siteId',
    summary: 'Get a site',
    auth: key('sites:read', { console: { role: 'member' } }),
    schemas: { params },
    replies: { 200: schema.SiteReply },
    handler: async ({ read, params: { siteId } }) => ({
      site: serializeSite(await requireSite(read, siteId)),
    }),
  }),
  route({
    operationId: 'updateSite',
    method: 'PATCH',
    path: '/v1/sites/:siteId',
    summary: 'Change a site',
    description: 'Months that were closed keep the time zone that they had.',
    auth: key('sites:write', { console: { role: 'owner' } }),
    schemas: { params, body: schema.PatchSiteBody },
    replies: { 200: schema.SiteReply },
    handler: async (context) => ({
      site: serializeSite(await updateSite(context, context.params.siteId, context.body)),
    }),
  }),
];
