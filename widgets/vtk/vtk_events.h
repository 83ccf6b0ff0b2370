#pragma once
// Translation of Qt mouse, wheel and key events to VTK.

class QEvent;
class QSize;
class vtkGenericRenderWindowInteractor;

namespace casp::widgets {

/// Passes `event` to `interactor`. `ratio`: device pixels per Qt pixel; `size`: size of the widget in Qt
/// pixels (VTK counts y upwards). False if VTK has no such event. GUI thread.
bool forward_event(const QEvent& event, vtkGenericRenderWindowInteractor& interactor, double ratio,
                   const QSize& size);

}  // namespace casp::widgets
