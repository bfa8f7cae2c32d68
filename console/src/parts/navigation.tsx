import { Brand } from '../ui/brand/brand';
import { Code } from '../ui/code/code';
import { Scan } from '../ui/codes/scan';
import { Button } from '../ui/forms/button';
import { Segments } from '../ui/layout/segments';
import { Steps } from '../ui/layout/steps';
import { Page } from '../ui/layout/surface';
import { Tabs } from '../ui/layout/tabs';
import { Meter } from '../ui/status/meter';
import style from './parts.module.css';
import { Group, Shown } from './shown';

const REQUEST = 'const { user } = await svc.users.create({ fullName: "Ada Lovelace" }); // 201';

export const Navigation = () => (
  <Group title="Pages, progress and code">
    <Shown as="Brand">
      <Brand />
    </Shown>
    <Shown as="Head of a page">
      <Page
        title="Parts"
        about="What the page shows, if it is not obvious."
        actions={<Button>Export</Button>}
      >
        <p>Content</p>
      </Page>
    </Shown>
    <Shown as="Segments">
      <Segments<'day' | 'week'>
        label="Range"
        name="range"
        options={{ day: '24 hours', week: '7 days' }}
        chosen="day"
      />
    </Shown>
    <Shown as="Steps">
      <Steps
        label="Steps of a registration"
        steps={[
          { name: 'The phone scans the code', about: 'The code works once.', state: 'done' },
          {
            name: 'The phone creates a secret',
            about: 'The secret stays on the phone.',
            state: 'current',
            action: <Button small>Open</Button>,
          },
          { name: 'The phone proves that it knows the secret', about: 'Automatically.', state: 'ahead' },
        ]}
      />
    </Shown>
    <Shown as="Meter: low, high and full">
      <Meter label="Calls this month" used={12_000} limit={250_000} />
      <Meter label="Calls this month" used={230_000} limit={250_000} />
      <Meter label="Active API keys" used={10} limit={10} />
    </Shown>
    <div className={style.columns}>
      <Shown as="Code to scan">
        <Scan text="svc:example" label="Example of a code">
          Expires in 15:00
        </Scan>
      </Shown>
      <Shown as="Expired code">
        <Scan text="svc:example" label="Example of an expired code" stale>
          The code has expired.
        </Scan>
      </Shown>
    </div>
    <Shown as="Tabs with code">
      <Tabs
        label="Language"
        tabs={[
          [
            'TypeScript',
            <Code key="typescript" label="TypeScript" language="typescript">
              {REQUEST}
            </Code>,
          ],
          [
            'JSON',
            <Code key="json" label="JSON" language="json" wrap>
              {JSON.stringify({ user: { fullName: 'Ada Lovelace', active: true, devices: 2 } }, null, 2)}
            </Code>,
          ],
        ]}
      />
    </Shown>
  </Group>
);
