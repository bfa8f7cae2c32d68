import type { Device } from '@svc/sdk';
import { Code } from '../../../ui/code/code';
import { CopyButton } from '../../../ui/forms/copy';
import { Row } from '../../../ui/layout/stack';
import style from './kiosk-setup.module.css';

/** Devices that many people use, and that sign them in all day. */
export const isShared = ({ deviceType }: Pick<Device, 'deviceType'>): boolean =>
  deviceType === 'kiosk' || deviceType === 'desktop';

/** How a kiosk or a shared computer enrolls with a key of its own. */
export function KioskSetup({ code }: { readonly code: string }) {
  const command = `SVC_URL=${location.origin} SVC_ENROLLMENT_CODE=${code} node kiosk-with-key.mjs`;
  return (
    <section className={style.setup} aria-labelledby="kiosk-setup">
      <h3 id="kiosk-setup">Or enroll it with a key of its own</h3>
      <p>
        A device with a key signs people in all day without an API key. Start the example{' '}
        <code>examples/kiosk/kiosk-with-key.mjs</code> on the device:
      </p>
      <Code label="Command that enrolls the device" language="plain" wrap>
        {command}
      </Code>
      <Row gap={3}>
        <CopyButton text={command} label="Copy the command" />
        <a href="/docs/devices#kiosks-and-shared-computers">How a kiosk works</a>
      </Row>
    </section>
  );
}
