import { page } from '../../../light/page';
import { Join } from '../join';

export default page(<Join />);
