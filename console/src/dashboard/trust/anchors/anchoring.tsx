import type { AnchoredRecord } from '@svc/sdk';
import { Code } from '../../../ui/code/code';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Panel } from '../../../ui/layout/panel';
import { Facts, Notice } from '../../../ui/layout/surface';
import { Loaded } from '../../../ui/lists/loaded';
import { Ago } from '../../../ui/lists/time';
import { Absent } from '../../../ui/lists/value';
import { formatNumber } from '../../../ui/numbers';
import { CopyId } from '../../nouns/reference';
import { accountPage } from '../../paths';
import style from './anchors.module.css';
import { nameOfChain } from './chains';
import { useAnchoring, useNewestAnchor } from './use-anchoring';

const CHECK = `svc anchors verify anchor-….json --rpc-url https://…`;

/** Where records are anchored, up to where, what waits, and how anybody checks a proof. */
export function Anchoring() {
  const { isReachable, anchored } = useAnchoring();
  const newest = useNewestAnchor();
  return (
    <>
      {!isReachable && (
        <Notice tone="warn">
          The service can’t reach the blockchain at the moment. Nothing is lost: what waits is anchored as
          soon as it can.
        </Notice>
      )}
      {anchored && !anchored.people && !anchored.auditLog && (
        <Notice action={<ButtonLink to={accountPage('security')}>Open the policy</ButtonLink>}>
          Your policy anchors neither people nor the audit log, so nothing new is added.
        </Notice>
      )}
      <div className={style.about}>
        <Panel title="On the blockchain">
          <Loaded name="what is anchored" query={newest}>
            {({ newest: anchor, head, waiting }) => (
              <Facts
                facts={{
                  Blockchain: anchor?.chainId == null ? <Absent /> : nameOfChain(anchor.chainId),
                  Contract:
                    anchor?.contract == null ? <Absent /> : <CopyId of={anchor.contract} name="contract" />,
                  'Audit log': <AuditLog head={head} isOn={anchored?.auditLog ?? true} />,
                  People: anchored?.people === false ? 'Not anchored' : 'Each registration',
                  Waiting:
                    waiting.since === null ? (
                      'Nothing'
                    ) : (
                      <>
                        {records(waiting.count)}, the oldest since <Ago at={waiting.since} />
                      </>
                    ),
                }}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="Check a proof">
          <p>
            A proof shows that a record existed when its block was made. Keep it with the contract’s address:
            anybody can check it, also without this service.
          </p>
          <Code label="How to check a proof" language="curl">
            {CHECK}
          </Code>
          <p>
            <a href="/docs/chain#proof-for-tenants">What the check compares</a>
          </p>
        </Panel>
      </div>
    </>
  );
}

const records = (count: number): string => (count === 1 ? '1 record' : `${formatNumber(count)} records`);

function AuditLog({ head, isOn }: { readonly head: AnchoredRecord | undefined; readonly isOn: boolean }) {
  if (head === undefined) return isOn ? 'Within ten minutes' : 'Not anchored';
  return (
    <>
      Up to entry {formatNumber(head.seq ?? 0)}, <Ago at={head.createdAt} />
    </>
  );
}
