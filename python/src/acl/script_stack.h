// SPDX-License-Identifier: Apache-2.0
// The check layer's reports show Python's stacks. The package `ferry` needs nothing of its own for
// that: it imports `acl`.
#ifndef FERRY_PYTHON_ACL_SCRIPT_STACK_H
#define FERRY_PYTHON_ACL_SCRIPT_STACK_H

namespace ferry::python {

// The library is told where to get Python's stacks from; it asks only while the check is on.
void offer_script_stack();

}  // namespace ferry::python

#endif
