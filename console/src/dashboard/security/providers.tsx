import { Card } from '../../ui/layout/surface';
import { useAccount } from '../session';
import { useHealth } from '../use-health';
import { ChoiceField, type Choosing } from './choice-field';

/** Where identities, verifications and the audit log are held. */
export function Providers(choosing: Choosing) {
  const { data: account } = useAccount();
  const { data: health } = useHealth();
  const hasNoChain = health?.subsystems.blockchain.status === 'not_configured';
  const isAllowed = account?.limits.onChainVerification ?? false;
  return (
    <Card title="Providers">
      <p>
        {hasNoChain
          ? 'This service has no chain: “on-chain” is kept with your policy, and changes nothing until it has one. '
          : 'What is on chain cannot be rewritten by whoever runs the service. It concerns the live environment alone. '}
        <a href="/docs/chain">More on that</a>
      </p>
      <ChoiceField of="did" hint="Where identities are registered." {...choosing} />
      <ChoiceField
        of="verification"
        hint={
          isAllowed
            ? 'Where proofs are verified.'
            : `On-chain needs the plan growth or enterprise, and yours is ${account?.tenant.plan ?? 'another one'}. Ask the operator of this service for it.`
        }
        unavailable={isAllowed ? undefined : 'onchain'}
        {...choosing}
      />
      <ChoiceField
        of="auditAnchor"
        hint="Where the audit log’s head is anchored beside the service’s signature."
        {...choosing}
      />
    </Card>
  );
}
