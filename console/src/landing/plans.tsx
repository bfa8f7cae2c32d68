import { ButtonAnchor } from '../ui/forms/button';
import style from './plans.module.css';

/** The contract's plans (SPEC, Limits); a test holds them to the service's. */
const PLANS = [
  { name: 'Free', monthly: '1,000', window: '100', chain: false, for: 'To build with' },
  { name: 'Starter', monthly: '25,000', window: '500', chain: false, for: 'A first door, a first site' },
  { name: 'Growth', monthly: '250,000', window: '2,000', chain: true, for: 'A product with many users' },
  { name: 'Enterprise', monthly: 'Unlimited', window: '10,000', chain: true, for: 'A company and its sites' },
] as const;

export const Plans = () => (
  <ul className={style.plans}>
    {PLANS.map((plan) => (
      <li key={plan.name}>
        <h3>{plan.name}</h3>
        <p className={style.for}>{plan.for}</p>
        <dl>
          <dt>Requests a month</dt>
          <dd>{plan.monthly}</dd>
          <dt>In 15 minutes</dt>
          <dd>{plan.window}</dd>
          <dt>Verification on chain</dt>
          <dd>{plan.chain ? 'included' : 'not included'}</dd>
        </dl>
        {plan.name === 'Free' ? (
          <ButtonAnchor look="primary" href="/dashboard/signup">
            Start free
          </ButtonAnchor>
        ) : (
          <ButtonAnchor href="#pilot">Ask for {plan.name}</ButtonAnchor>
        )}
      </li>
    ))}
  </ul>
);
