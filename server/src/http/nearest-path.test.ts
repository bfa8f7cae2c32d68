import { describe, expect, it } from 'vitest';
import { routesOf } from '../app.js';
import { nearestPathOf } from './nearest-path.js';

const routes = routesOf('0.0.0-test');
const near = nearestPathOf(routes);

describe('an unknown path', () => {
  it.each([
    ['/v1/device', '/v1/devices'],
    ['/v1/devices/', '/v1/devices'],
    ['/V1/Devices', '/v1/devices'],
    ['/devices', '/v1/devices'],
    ['/api/devices', '/v1/devices'],
    ['/api/v1/devices', '/v1/devices'],
    ['/v2/devices', '/v1/devices'],
    ['/v1/identity/regsiter', '/v1/identity/register'],
    ['/identity/verify', '/v1/identity/verify'],
    ['/api/console/sign-up', '/api/console/signup'],
    ['/v1/users/019de2df-a1c0-7eb1-97eb-cabf9a007e29/', '/v1/users/:userId'],
    ['/health', '/api/health'],
    ['/openapi', undefined],
    ['/v1/doors', undefined],
    ['/', undefined],
    ['/wp-login.php', undefined],
  ])('%s suggests %s', (path, nearest) => {
    expect(near(path)).toBe(nearest);
  });

  it('never suggests an admin, deprecated or simulated route', () => {
    for (const { path, auth, successor, when } of routes)
      if (auth.kind === 'admin' || auth.kind === 'legacy' || successor || when)
        for (const typo of [path, `${path}x`, path.slice(0, -1)]) expect(near(typo), typo).not.toBe(path);
    for (const path of ['/api/admin/stats', '/api/admin/stat', '/api/leads', '/api/lead'])
      expect(near(path) ?? '', path).not.toMatch(/admin|leads$/);
  });

  it('is not compared if it is long or contains unusual characters', () => {
    for (const path of [
      `/v1/devices${'/'.repeat(200)}`,
      '/v1/device%73',
      '/v1/device<script>',
      '/v1/device é',
    ])
      expect(near(path)).toBeUndefined();
  });
});
