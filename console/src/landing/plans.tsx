import { ButtonAnchor } from '../ui/forms/button';
import style from './plans.module.css';

/** The plans of the contract (SPEC, Limits). A test compares them with the service's limits. */
const PLANS = [
  { name: 'Free', monthly: '1,000', window: '100', chain: false, for: 'For development' },
  { name: 'Starter', monthly: '25,000', window: '500', chain: false, for: 'For a first site' },
  { name: 'Growth', monthly: '250,000', window: '2,000', chain: true, for: 'For a product with many users' },
  {
    name: 'Enterprise',
    monthly: 'Unlimited',
    window: '10,000',
    chain: true,
    for: 'For a company with several sites',
  },
] as const;

export const Plans = () => (
  <ul className={style.plans}>
    {PLANS.map((plan) => (
      <li key={plan.name}>
        <h3>{plan.name}</h3>
        <p className={style.for}>{plan.for}</p>
        <dl>
          <dt>Requests per month</dt>
          <dd>{plan.monthly}</dd>
          <dt>Requests per 15 minutes</dt>
          <dd>{plan.window}</dd>
          <dt>On-chain verification</dt>
          <dd>{plan.chain ? 'included' : 'not included'}</dd>
        </dl>
        {plan.name === 'Free' ? (
          <ButtonAnchor look="primary" href="/dashboard/signup">
            Start free
          </ButtonAnchor>
        ) : (
          <ButtonAnchor href="#pilot">Request {plan.name}</ButtonAnchor>
        )}
      </li>
    ))}
  </ul>
);
