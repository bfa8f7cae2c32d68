import { Play } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Stack } from '../../ui/layout/stack';
import { SnippetTabs } from '../nouns/snippet-tabs';
import { isTestKey, storedKey, storeKey } from '../operations/playground-key';
import { type Draft, draftOf, requestOf, type SeenIds, withSeen } from './draft';
import { EndpointChoice } from './endpoint-choice';
import type { Endpoint } from './endpoints';
import style from './playground.module.css';
import { RequestFields } from './request-fields';
import { Response } from './response';
import { send } from './send';
import { TestKey } from './test-key';

/** Returns something for every account, also without records. */
const FIRST = 'listUsers';

/** The endpoint in the address, its form, the same request as code, and the response. */
export function TryEndpoint({
  endpoints,
  tenantId,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly tenantId: string;
}) {
  const [search, setSearch] = useSearchParams();
  const [key, setKey] = useState(() => storedKey(tenantId));
  const [seen, setSeen] = useState<SeenIds>({});
  const endpoint =
    endpoints.find(({ id }) => id === search.get('operation')) ??
    endpoints.find(({ id }) => id === FIRST) ??
    endpoints[0];
  if (endpoint === undefined) return null;
  const changeKey = (changed: string) => {
    setKey(changed);
    storeKey(tenantId, changed);
  };
  return (
    <div className={style.columns}>
      <Attempt
        // Another endpoint has another form and no response yet.
        key={endpoint.id}
        endpoint={endpoint}
        endpoints={endpoints}
        onChoose={(operation) => setSearch({ operation })}
        apiKey={key}
        onKey={changeKey}
        seen={seen}
        onSeen={setSeen}
      />
    </div>
  );
}

function Attempt({
  endpoint,
  endpoints,
  onChoose,
  apiKey,
  onKey,
  seen,
  onSeen,
}: {
  readonly endpoint: Endpoint;
  readonly endpoints: readonly Endpoint[];
  readonly onChoose: (id: string) => void;
  readonly apiKey: string;
  readonly onKey: (key: string) => void;
  readonly seen: SeenIds;
  readonly onSeen: (seen: SeenIds) => void;
}) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(endpoint, seen));
  const [wasSent, setSent] = useState(false);
  const response = useRef<HTMLElement>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const { request, faults } = requestOf(endpoint, draft, location.origin);
  /** While the body is not valid JSON, the code keeps the last one that was. */
  const lastValid = useRef(request);
  if (faults.body === undefined) lastValid.current = request;
  const sending = useSending({
    mutationFn: () => send(request, apiKey, draft.body, leaving.current.signal),
    onSuccess: ({ status, json }) => {
      if (status < 300) onSeen(withSeen(seen, endpoint, json));
    },
  });
  const { isSuccess, isError } = sending;
  useEffect(() => {
    // Where the response is below the form.
    if ((isSuccess || isError) && matchMedia('(max-width: 62rem)').matches)
      response.current?.scrollIntoView();
  }, [isSuccess, isError]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (isTestKey(apiKey) && Object.keys(faults).length === 0) sending.mutate();
  };
  return (
    <>
      <Panel>
        <form noValidate onSubmit={submit}>
          <Stack>
            <EndpointChoice endpoints={endpoints} chosen={endpoint} onChoose={onChoose} />
            <p className={style.summary}>
              {endpoint.summary}.{endpoint.scope !== undefined && <Scope name={endpoint.scope} />}
            </p>
            <TestKey value={apiKey} missing={wasSent} onChange={onKey} />
            <RequestFields
              endpoint={endpoint}
              draft={draft}
              faults={wasSent ? faults : onlyBody(faults)}
              onChange={setDraft}
            />
            {endpoint.needsCookie && (
              <p className={style.summary}>
                Create the pairing session here first. The browser sends the cookie that it sets.
              </p>
            )}
            <Send isPending={sending.isPending} />
          </Stack>
        </form>
      </Panel>
      <div className={style.results}>
        <SnippetTabs request={lastValid.current} />
        <Response ref={response} sending={sending} />
      </div>
    </>
  );
}

const Send = ({ isPending }: { readonly isPending: boolean }) => (
  <div>
    <Button type="submit" look="primary" busy={isPending}>
      {!isPending && <Play size={16} aria-hidden="true" />}
      Send request
    </Button>
  </div>
);

const Scope = ({ name }: { readonly name: string }) => (
  <>
    {' '}
    Scope: <code>{name}</code>
  </>
);

/** Before the first attempt, an empty field is not an error yet. */
const onlyBody = ({ body }: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  body === undefined ? {} : { body };
