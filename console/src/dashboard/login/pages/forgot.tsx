import { page } from '../../../light/page';
import { Forgot } from '../forgot';

export default page(<Forgot />);
