import { CheckField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import { useAccount } from '../operations/account';
import { useHasBlockchain } from '../operations/use-health';
import { ChoiceField, type Choosing } from './choice-field';

/** Where identities are registered, proofs are verified and the audit log is anchored. */
export function Providers(choosing: Choosing) {
  const { did, verification, auditAnchor, checkpoints } = choosing.chosen;
  const hasBlockchain = useHasBlockchain() ?? false;
  const isSaved = did === 'onchain' || verification === 'onchain' || auditAnchor === 'onchain';
  return (
    <Panel title={hasBlockchain || isSaved ? 'Audit log and blockchain' : 'Audit log'}>
      {(hasBlockchain || isSaved) && <OnChain {...choosing} hasBlockchain={hasBlockchain} />}
      <CheckField
        label="Allow checkpoints of the audit log"
        hint="Witnesses can then confirm that entries are only added. A checkpoint shows how many entries there are."
        checked={checkpoints}
        onChange={(event) => choosing.onChoose({ checkpoints: event.target.checked })}
      />
    </Panel>
  );
}

/** Also shown without a blockchain if the policy has one of these settings, so that it can be turned off. */
function OnChain({ hasBlockchain, ...choosing }: Choosing & { readonly hasBlockchain: boolean }) {
  const { data: account } = useAccount();
  const isAllowed = account?.limits.onChainVerification ?? false;
  return (
    <>
      <p>
        {hasBlockchain
          ? 'The operator of the service can’t rewrite data on the blockchain. This applies only to the live environment. '
          : 'This service has no blockchain, so “On-chain” has no effect. '}
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
    </>
  );
}
