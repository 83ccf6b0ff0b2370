#pragma once
// Nothing of this header is used; see gloo/context.h.
