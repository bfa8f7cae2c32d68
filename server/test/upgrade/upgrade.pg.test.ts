// @module-tag if-touched @core: upgrades under load
import { it } from 'vitest';
import { upgradeUnderLoad } from './upgrade.js';

// Takes seconds, and minutes on a busy machine. Ten times in upgrade.long.test.ts.
it('nodes of the previous version see no error during an upgrade, and all records are counted', async () => {
  await upgradeUnderLoad(1);
});
