import { fail } from '../../base/errors.js';
import type { Image } from '../../base/image.js';
import { type BaseContext, open, route } from '../../http/route.js';
import { ProductReply } from './profile.schema.js';
import { findLogo } from './profile.store.js';

/** The image is somebody else's content on our origin, so it must be inert there however it is opened. */
function sendImage({ setHeader }: BaseContext, { type, bytes }: Pick<Image, 'type' | 'bytes'>): Buffer {
  setHeader('content-type', type);
  setHeader('content-security-policy', "default-src 'none'; sandbox");
  setHeader('content-disposition', 'inline');
  setHeader('cross-origin-resource-policy', 'cross-origin');
  setHeader('cache-control', 'public, max-age=31536000, immutable');
  return bytes;
}

export const profilePublic = [
  route({
    operationId: 'getLogo',
    method: 'GET',
    path: '/logos/:tenantId/:logoId',
    summary: 'Get the logo of a company',
    auth: open,
    limit: { name: 'logo', max: 600, windowSeconds: 60 },
    schemas: { params: { tenantId: 'not_found', logoId: 'not_found' } },
    replies: { 200: 'image/png' },
    examples: { 200: 'a PNG or WebP image' },
    errors: ['not_found'],
    async handler(context) {
      const { tenantId, logoId } = context.params;
      const { db } = context.deps;
      const logo = await findLogo(db.near?.(tenantId) ?? db, tenantId, logoId);
      return logo ? sendImage(context, logo) : fail('not_found');
    },
  }),
  route({
    operationId: 'getProduct',
    method: 'GET',
    path: '/api/product',
    summary: 'Get the name and logo of this installation',
    auth: open,
    replies: { 200: ProductReply },
    database: false,
    async handler({ deps }) {
      const { name, logo } = deps.config.product;
      return { product: { name, logo: logo ? { url: `/product-logo/${logo.id}` } : null } };
    },
  }),
  route({
    operationId: 'getProductLogo',
    method: 'GET',
    path: '/product-logo/:logoId',
    summary: 'Get the logo of this installation',
    auth: open,
    schemas: { params: { logoId: 'not_found' } },
    replies: { 200: 'image/png' },
    examples: { 200: 'a PNG or WebP image' },
    errors: ['not_found'],
    database: false,
    async handler(context) {
      const { logo } = context.deps.config.product;
      return logo?.id === context.params.logoId ? sendImage(context, logo) : fail('not_found');
    },
  }),
];
