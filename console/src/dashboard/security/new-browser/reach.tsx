import { Failure } from '../../../ui/failure';
import { Notice } from '../../../ui/layout/surface';
import type { Choices } from '../../nouns/policy/policy';
import { useOperation } from '../../operations/operation';
import style from './reach.module.css';
import { costOf } from './reach-text';

/** The people and sign-ins of live that the chosen policy keeps out, counted now. Nothing if it keeps nobody out. */
export function ReachOf({ chosen }: { readonly chosen: Choices }) {
  const isAsked = chosen.newBrowser !== 'allow' || chosen.attested;
  const { data, error, refetch } = useOperation('consoleGetPolicyReach', {}, { enabled: isAsked });
  if (!isAsked) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p role="status">Counting the people that this reaches …</p>;
  const { sentences, isLoss } = costOf(data, chosen);
  if (sentences.length === 0) return null;
  return (
    <Notice tone={isLoss ? 'warn' : 'plain'}>
      <strong>In live, today</strong>
      <ul className={style.costs} aria-label="In live, today">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  );
}
