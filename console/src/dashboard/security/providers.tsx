import { CheckField } from '../../ui/forms/field';
import { Panel } from '../../ui/layout/panel';
import { useAccount } from '../session';
import { useHealth } from '../use-health';
import { ChoiceField, type Choosing } from './choice-field';

/** Where identities are registered, proofs are verified and the audit log is anchored. */
export function Providers(choosing: Choosing) {
  const { data: account } = useAccount();
  const { data: health } = useHealth();
  const hasNoBlockchain = health?.subsystems.blockchain.status === 'not_configured';
  const isAllowed = account?.limits.onChainVerification ?? false;
  return (
    <Panel title="Providers">
      <p>
        {hasNoBlockchain
          ? 'This service has no blockchain. “On-chain” is saved with your policy but has no effect until the service has one. '
          : 'The operator of the service can’t rewrite data on the blockchain. This applies only to the live environment. '}
        <a href="/docs/chain">Read more</a>
      </p>
      <ChoiceField of="did" hint="Where identities are registered." {...choosing} />
      <ChoiceField
        of="verification"
        hint={
          isAllowed
            ? 'Where proofs are verified.'
            : `On-chain verification needs the growth or enterprise plan. Your plan is ${account?.tenant.plan ?? 'a different one'}. Ask the operator of this service to change it.`
        }
        unavailable={isAllowed ? undefined : 'onchain'}
        {...choosing}
      />
      <ChoiceField
        of="auditAnchor"
        hint="Where the head of the audit log is anchored, in addition to the service’s signature."
        {...choosing}
      />
      <CheckField
        label="Allow checkpoints of the audit log"
        hint="Witnesses can then confirm that entries are only added. A checkpoint shows how many entries there are."
        checked={choosing.chosen.checkpoints}
        onChange={(event) => choosing.onChoose({ checkpoints: event.target.checked })}
      />
    </Panel>
  );
}
