import { Code } from '../ui/code/code';
import { Failure } from '../ui/failure';
import { Button } from '../ui/forms/button';
import { Panel } from '../ui/layout/panel';
import { Row } from '../ui/layout/stack';
import { Badge, Facts, Notice, StatusTag, type Tone } from '../ui/layout/surface';
import { Rows } from '../ui/lists/rows';
import { Ago, Countdown, Time } from '../ui/lists/time';
import { Id, Json, Text } from '../ui/lists/value';
import { Live } from '../ui/status/live';
import { OUTAGE, RATE_LIMITED } from './failures';
import style from './parts.module.css';
import { Group, Shown } from './shown';

const TONES: readonly Tone[] = ['plain', 'good', 'warn', 'bad'];
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

export const Messages = () => (
  <Group title="Messages and values">
    <Shown as="Badges and states">
      <Row>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {TONES.map((tone) => (
          <StatusTag key={tone} tone={tone}>
            {tone}
          </StatusTag>
        ))}
      </Row>
    </Shown>
    {TONES.map((tone) => (
      <Shown key={tone} as={`Notice: ${tone}`}>
        <Notice tone={tone} action={<Button small>Act</Button>}>
          <p>The requirements were saved and apply to new requests.</p>
        </Notice>
      </Shown>
    ))}
    <Shown as="Errors of the service">
      <Failure error={OUTAGE} onRetry={() => {}} />
      <Failure error={RATE_LIMITED} onRetry={() => {}} />
    </Shown>
    <div className={style.columns}>
      <Panel title="A panel with facts">
        <Facts
          facts={{
            Name: <Text of="عبد الله بن محمد" />,
            'E-mail': <Text of={null} />,
            ID: <Id of="019e1b85-95c0-72a3-becb-0899249ccc7f" short />,
            'No ID': <Id of={null} />,
            Metadata: <Json of={{ team: 'A' }} />,
          }}
        />
      </Panel>
      <Panel title="Times">
        <Facts
          facts={{
            Added: <Time at={inHours(-48)} />,
            'With seconds': <Time at={inHours(-48)} exact />,
            'Last seen': <Time at={null} />,
            'Last used': <Ago at={inHours(-3)} />,
            'Expires in': <Countdown until={inHours(0.25)} />,
            'Ended in': <Countdown until={inHours(-1)} />,
          }}
        />
      </Panel>
      <Panel title="A panel with rows" aside={<a href="#rows">View all</a>}>
        <Rows lined>
          {TONES.map((tone) => (
            <li key={tone}>{tone}</li>
          ))}
        </Rows>
      </Panel>
      <Panel flush bar={<Live isConnected>Live: new requests appear here.</Live>}>
        <Code label="A flush panel with a bar" language="json">
          {'{ "team": "A" }'}
        </Code>
      </Panel>
    </div>
  </Group>
);
