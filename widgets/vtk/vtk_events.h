#pragma once
// Qt's mouse, wheel and key events as VTK's.

class QEvent;
class QSize;
class vtkGenericRenderWindowInteractor;

namespace casp::widgets {

/// Hands `event` to `interactor`. `ratio`: device pixels per Qt pixel; `size`: of the widget in Qt pixels
/// (VTK counts y upwards). False where the event is of no kind that VTK knows. GUI thread.
bool forward_event(const QEvent& event, vtkGenericRenderWindowInteractor& interactor, double ratio,
                   const QSize& size);

}  // namespace casp::widgets
