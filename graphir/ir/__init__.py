"""The Graph-IR: node classes, their traversal, and their text and JSON forms.  Knows no dialect."""

from graphir.ir.expressions import *  # noqa: F403
from graphir.ir.node import REGISTRY as REGISTRY
from graphir.ir.node import Node as Node
from graphir.ir.operators import *  # noqa: F403
from graphir.ir.patterns import *  # noqa: F403
from graphir.ir.tables import *  # noqa: F403
from graphir.ir.traversal import at_most as at_most
from graphir.ir.traversal import bits as bits
from graphir.ir.traversal import children as children
from graphir.ir.traversal import depth as depth
from graphir.ir.traversal import find as find
from graphir.ir.traversal import found as found
from graphir.ir.traversal import holds as holds
from graphir.ir.traversal import last_pipeline as last_pipeline
from graphir.ir.traversal import rewrite as rewrite
from graphir.ir.traversal import rewrite_down as rewrite_down
from graphir.ir.traversal import strangers as strangers
from graphir.ir.traversal import transform as transform
from graphir.ir.traversal import walk as walk
