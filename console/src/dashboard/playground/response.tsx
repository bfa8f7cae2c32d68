import type { UseMutationResult } from '@tanstack/react-query';
import type { Ref } from 'react';
import { Code } from '../../ui/code/code';
import { Panel } from '../../ui/layout/panel';
import { Badge, Notice, type Tone } from '../../ui/layout/surface';
import style from './playground.module.css';
import type { Answer } from './send';

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

/** More is cut off, because the page would become slow. */
const MAX_LENGTH = 200_000;

/** What the service returned: status, duration, the headers that matter, and the body. */
export const Response = ({
  ref,
  sending: { data, error, isPending },
}: {
  readonly ref: Ref<HTMLElement>;
  readonly sending: Pick<UseMutationResult<Answer>, 'data' | 'error' | 'isPending'>;
}) => (
  <Panel
    flush
    ref={ref}
    aria-label="Response"
    aria-busy={isPending}
    bar={
      <>
        <h2>Response</h2>
        <div role="status" className={style.status}>
          {data && !isPending && (
            <>
              <Badge tone={toneOf(data.status)}>
                {data.status} {data.statusText}
              </Badge>
              <span className={style.duration}>{data.durationMs} ms</span>
            </>
          )}
        </div>
      </>
    }
  >
    {error && !isPending ? (
      <div className={style.failed}>
        <Notice tone="bad">The service did not respond. Check your connection and try again.</Notice>
      </div>
    ) : data ? (
      <Received answer={data} />
    ) : (
      <p className={style.none}>
        {isPending ? 'Waiting for the response …' : 'Send the request to see what it returns.'}
      </p>
    )}
  </Panel>
);

const Received = ({ answer: { json, text, headers, status } }: { readonly answer: Answer }) => (
  <>
    {status >= 400 && isErrorBody(json) && (
      <p className={style.error}>
        <a href={`/docs/errors#${json.error}`} target="_blank" rel="noopener">
          <code>{json.error}</code>
        </a>{' '}
        {json.message}
      </p>
    )}
    <dl className={style.headers}>
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
    <Code label="Body of the response" language={json === undefined ? 'plain' : 'json'} wrap>
      {shown(json === undefined ? text : JSON.stringify(json, null, 2))}
    </Code>
  </>
);

const shown = (text: string): string =>
  text === '' ? '(empty)' : text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n…` : text;

const isErrorBody = (json: unknown): json is { readonly error: string; readonly message: string } =>
  typeof json === 'object' &&
  json !== null &&
  /^[a-z_]+$/.test(String((json as { error?: unknown }).error)) &&
  typeof (json as { message?: unknown }).message === 'string';
